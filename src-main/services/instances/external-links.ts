import { editor, editorLink, type Editor } from '../../domain/instances/editor-link.ts'
import type { LinkOutcome } from '../../domain/instances/link-outcome.ts'
import { portMappingsOf, portUrl } from '../../domain/instances/port-mappings.ts'
import { sshAddressesOf, type SshAddresses } from '../../domain/ssh/ssh-address.ts'
import type { SshAddress } from '../../domain/ssh/ssh.ts'
import type { ActivityLog } from './activity.ts'
import type { InstanceList } from './list.ts'

/** Programs outside of Slipway that may be given a link; desktop/ refuses what is not one of the form. */
export interface ExternalPrograms {
  readonly openEditor: (editor: Editor, link: string) => Promise<'opened' | 'refused' | 'failed'>
  readonly openPort: (url: string) => Promise<'opened' | 'refused' | 'failed'>
  readonly openPlainLink: (url: string) => Promise<'opened' | 'refused' | 'failed'>
}

export interface MappedPort {
  readonly id: number
  readonly containerPort: number
  readonly hostPort: number
  readonly scheme: 'http' | 'https'
}

export interface ExternalLinks {
  /** Those that are registered on this computer for the links by which they are opened. */
  readonly editors: () => readonly Editor[]
  /** Opens this folder of the instance; `null` for the one that was shown last, or root's home. */
  readonly openEditor: (id: number, editor: Editor, folder?: string | null) => Promise<LinkOutcome>
  readonly openPort: (port: MappedPort) => Promise<LinkOutcome>
}

/** Opens what an instance offers in other programs. The links are made here: the window only says which. */
export function createExternalLinks({
  list,
  user,
  lastFolderOf,
  hasEditor,
  aliasOf,
  routes,
  programs,
  activity,
}: {
  readonly list: Pick<InstanceList, 'find'>
  readonly user: () => string
  /** The folder of the instance that was shown last; `null` for none. What the instance says, not a path of a known form. */
  readonly lastFolderOf: (id: number) => string | null
  readonly hasEditor: (editor: Editor) => boolean
  /** The instance's name in the SSH configuration; `null` when it has no entry there. */
  readonly aliasOf: (id: number) => Promise<string | null>
  readonly routes: {
    /** Finds out which of an instance's addresses answers, where nothing says which to use. */
    readonly probe: (id: number, addresses: SshAddresses) => Promise<{ readonly isUnanswered: boolean }>
    /** Which of an instance's addresses a program is told; `null` for none. */
    readonly programAddress: (id: number, addresses: SshAddresses) => SshAddress | null
  }
  readonly programs: Omit<ExternalPrograms, 'openPlainLink'>
  readonly activity: Pick<ActivityLog, 'note'>
}): ExternalLinks {
  return {
    editors: () => editor.options.filter(hasEditor),

    openEditor: async (id, to, wanted = null) => {
      const instance = list.find(id)
      if (!instance) return 'gone'
      const addresses = sshAddressesOf(instance.record)
      const { isUnanswered } = await routes.probe(id, addresses)
      const address = routes.programAddress(id, addresses)
      if (address === null) return 'no-address'
      const alias = await aliasOf(id)
      const folder = wanted ?? lastFolderOf(id)
      const link = editorLink(to, { address, alias, user: user(), folder })
      if (link === null) return 'needs-alias'
      if ((await programs.openEditor(to, link)) !== 'opened') return 'no-program'
      await activity.note(id, { kind: 'editor-opened', editor: to })
      return isUnanswered ? 'opened-unanswered' : 'opened'
    },

    openPort: async ({ id, containerPort, hostPort, scheme }) => {
      const mapping = portMappingsOf(list.find(id)?.record ?? {}).find(
        (one) => one.protocol === 'tcp' && one.containerPort === containerPort && one.hostPort === hostPort,
      )
      const url = mapping ? portUrl(mapping, scheme) : null
      if (url === null) return 'gone'
      if ((await programs.openPort(url)) !== 'opened') return 'no-program'
      await activity.note(id, { kind: 'port-opened', port: containerPort })
      return 'opened'
    },
  }
}
