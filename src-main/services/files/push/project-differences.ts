import type { Project } from '../../../domain/files/project.ts'
import type { PlannedFile } from '../copy-plan.ts'
import type { CopySession } from '../copy-session.ts'
import type { FileTree } from '../file-tree.ts'
import { remoteNames } from '../remote-tree.ts'
import { compareTrees, pathIn, pathsGone, stampOf, type Comparison } from './compare-trees.ts'
import type { HeldFiles } from './held-back.ts'
import { createKnownTree } from './known-tree.ts'
import { isSame, type FileStamp } from './push-decision.ts'
import type { PushedFiles } from './pushed-files.ts'
import type { FolderSync, PushOrder } from './sync.ts'

export interface DifferencesOptions {
  readonly project: Pick<Project, 'removeGone'>
  readonly sync: Pick<FolderSync, 'plan' | 'planHere'>
  readonly localTree: FileTree
  readonly pushed: Pick<PushedFiles, 'all'>
  readonly held: HeldFiles
}

/** How the two folders of a project differ. */
export class ProjectDifferences {
  readonly #options: DifferencesOptions
  /** Folders that are there, by the last comparison. */
  #foldersThere: ReadonlySet<string> = new Set()

  constructor(options: DifferencesOptions) {
    this.#options = options
  }

  /**
   * How both folders differ, by what was pushed before.
   *
   * @param isScoped only where something changed here is looked at there; without what is held back
   * @throws as `FolderSync.plan`, ProblemError storage-failed
   */
  async compare(
    order: PushOrder,
    session: CopySession,
    isScoped = false,
  ): Promise<Comparison & { readonly from: string }> {
    const { sync, pushed, localTree, held, project } = this.#options
    const known = await pushed.all()
    const scope = isScoped ? (await this.changesHere(order)).scope : null
    const folders: string[] = []
    const mayBeGone = (path: string): boolean => !isScoped || (project.removeGone && !held.has(path, null))
    const planned = await sync.plan(order, session, {
      onFolder: (path) => folders.push(path),
      look: (tree, target) => {
        if (scope === null) return tree
        const remembered = createKnownTree(remoteNames, target.path, known, this.#foldersThere)
        const looked = new Set([...scope].map((path) => pathIn(remoteNames, target.path, path)))
        return { ...tree, list: (folder) => (looked.has(folder) ? tree : remembered).list(folder) }
      },
    })
    const { from } = planned
    const compared = await compareTrees({
      ...{ ...planned, localTree, tree: session.tree, pushed: known, mayBeGone, signal: order.signal },
    })
    this.#foldersThere = new Set(folders.map((folder) => partsOf(from, folder).join('/')))
    return { ...compared, from }
  }

  /**
   * Where something changed here since the last push, with all folders around it, but for what is held back as it is; and
   * all folders here. `changes` are the files, and `null` for what is gone or a folder. What isn't any more as it was held back is forgotten there.
   *
   * @throws as `compare`
   */
  async changesHere(order: PushOrder): Promise<{
    readonly folders: readonly string[]
    readonly scope: ReadonlySet<string>
    readonly changes: ReadonlyMap<string, FileStamp | null>
  }> {
    const { sync, pushed, localTree, held, project } = this.#options
    const known = await pushed.all()
    const folders: string[] = []
    const { from, plan } = await sync.planHere(
      order,
      createKnownTree(remoteNames, '', known, this.#foldersThere),
      { onFolder: (path) => folders.push(path) },
    )
    const gone = project.removeGone
      ? await pathsGone({ localTree, from, plan, pushed: known, signal: order.signal })
      : []
    held.keepOnly(
      new Map([
        ...plan.files.map((file) => [file.path, stampOf(file)] as const),
        ...gone.map((path) => [path, null] as const),
      ]),
    )
    const isChanged = (file: PlannedFile): boolean => {
      const last = known.get(file.path)
      const here = stampOf(file)
      return (last === undefined || !isSame(last.here, here)) && !held.has(file.path, here)
    }
    const changed = plan.files.filter(isChanged)
    const newlyGone = gone.filter((path) => !held.has(path, null))
    const made = plan.folders.map(({ target }) => target.slice(1))
    const changes = new Map<string, FileStamp | null>([
      ...changed.map((file) => [file.path, stampOf(file)] as const),
      ...[...made, ...newlyGone].map((path) => [path, null] as const),
    ])
    const scope = new Set<string>()
    for (const path of changes.keys()) {
      const names = path.split('/')
      for (let depth = 0; depth < names.length; depth += 1) scope.add(names.slice(0, depth).join('/'))
    }
    return { folders, scope, changes }
  }
}

/** Names from the folder to what is in it. */
function partsOf(root: string, path: string): readonly string[] {
  return path
    .slice(root.length)
    .split(/[/\\]/)
    .filter((name) => name !== '')
}
