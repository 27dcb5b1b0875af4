import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, test, vi } from 'vitest'
import { nextTick, ref, shallowReactive, shallowRef } from 'vue'
import type { ChosenPlace, FolderOutcome, Transfer, TransferOrder } from '#domain/files/transfer.ts'
import type { TerminalTab } from '../../../../../src-renderer/features/terminals/terminal-tab.ts'
import { settle } from '../../../../support/fake-clock.ts'

/** What main has been asked for, and what it answers. */
const main = vi.hoisted(() => ({
  dropped: new Map<number, ChosenPlace[]>(),
  homes: new Map<number, PromiseWithResolvers<FolderOutcome>>(),
  orders: [] as TransferOrder[],
}))
const told = shallowRef<readonly Transfer[]>([])
const terminals = shallowReactive<{ tabs: readonly TerminalTab[] }>({ tabs: [] })

vi.mock('#ipc/client.ts', () => ({
  client: {
    files: {
      takeDropped: ({ at }: { readonly at: number }) => Promise.resolve(main.dropped.get(at) ?? []),
      listRemote({ instanceId }: { readonly instanceId: number }) {
        const home = Promise.withResolvers<FolderOutcome>()
        main.homes.set(instanceId, home)
        return home.promise
      },
      startTransfer(order: TransferOrder) {
        main.orders.push(order)
        return Promise.resolve({ id: `t${main.orders.length}` })
      },
    },
  },
}))
vi.mock('#ipc/watch.ts', () => ({ useWatch: () => ({ latest: told }) }))
vi.mock('@nuxt/ui/composables/useToast', () => ({ useToast: () => ({ add: () => undefined }) }))
vi.mock('../../../../../src-renderer/features/terminals/terminals-store.ts', () => ({
  useTerminalsStore: () => terminals,
}))
vi.stubGlobal('document', Object.assign(new EventTarget(), { activeElement: {}, body: {} }))
const { useTerminalUploadsStore } =
  await import('../../../../../src-renderer/features/terminals/upload/terminal-uploads-store.ts')

beforeEach(() => {
  setActivePinia(createPinia())
  main.dropped.clear()
  main.homes.clear()
  main.orders = []
  told.value = []
  terminals.tabs = []
})

/** A terminal with a shell at a prompt, and what is pasted into it. */
function openTerminal(instanceId: number, folderAtFirst: string | null) {
  const folder = ref(folderAtFirst)
  const pasted: string[] = []
  const line = { beforeCursor: '$ ', isFullScreen: false, takesPastesAsText: true }
  const tab = {
    instanceId,
    folder,
    line: { state: shallowRef({ kind: 'open' }) },
    screen: { commandLine: () => ({ ...line }) },
    receive: ({ text }: { readonly text: string }) => void pasted.push(text),
  } as unknown as TerminalTab
  terminals.tabs = [...terminals.tabs, tab]
  return { tab, folder, line, pasted }
}
/** @returns the time of the drop */
function put(from: string, name: string): number {
  const at = main.dropped.size + 1
  main.dropped.set(at, [{ from, names: [name] }])
  return at
}
async function tell(phase: Transfer['phase'], skippedCount = 0): Promise<void> {
  told.value = main.orders.map((order, index) => ({
    id: `t${index + 1}`,
    order,
    phase,
    progress: {
      files: 1,
      filesDone: 0,
      bytes: 1,
      bytesDone: 0,
      bytesPerSecond: null,
      remainingSeconds: null,
    },
    skipped: [],
    skippedCount,
    notifies: false,
  }))
  await nextTick()
}

test('a slow instance holds up no drop on another terminal, and each gets its own files', async () => {
  const store = useTerminalUploadsStore()
  const [slow, quick] = [openTerminal(1, null), openTerminal(2, '/work')]
  void store.drop(slow.tab, put('/a', 'a.txt'))
  await settle()
  await store.drop(quick.tab, put('/b', 'b.txt'))
  expect(main.orders).toMatchObject([
    { from: '/b', names: ['b.txt'], to: '/work', target: { instanceId: 2 } },
  ])

  main.homes.get(1)?.resolve({ kind: 'listed', path: '/root' } as FolderOutcome)
  await settle()
  expect(main.orders[1]).toMatchObject({ from: '/a', to: '/root', target: { instanceId: 1 } })
})

test('the folder that was shown counts, whatever the shell tells meanwhile', async () => {
  const store = useTerminalUploadsStore()
  const { tab, folder } = openTerminal(1, '/shown')
  const dropping = store.drop(tab, put('/a', 'a.txt'))
  folder.value = '/told-later'
  await dropping
  expect(main.orders).toMatchObject([{ to: '/shown' }])
})

test('a question that comes right after the drop gets no path', async () => {
  const store = useTerminalUploadsStore()
  const { tab, line, pasted } = openTerminal(1, '/root')
  const dropping = store.drop(tab, put('/a', 'a.txt'))
  line.beforeCursor = 'Password: '
  await dropping
  await tell({ kind: 'done' })
  expect(pasted).toEqual([])
  expect(store.uploads).toMatchObject([{ paths: 'left' }])
})

test('a path is pasted at the prompt where the files were dropped', async () => {
  const store = useTerminalUploadsStore()
  const { tab, pasted } = openTerminal(1, '/root')
  await store.drop(tab, put('/a', 'a.txt'))
  await tell({ kind: 'copying' })
  expect(pasted).toEqual([])
  await tell({ kind: 'done' })
  expect(pasted).toEqual(['/root/a.txt '])
  expect(store.uploads).toEqual([])
})

test('a path that was not pasted is not pasted later, at a prompt that looks the same', async () => {
  const store = useTerminalUploadsStore()
  const { tab, line, pasted } = openTerminal(1, '/root')
  await store.drop(tab, put('/a', 'a.txt'))
  line.beforeCursor = '~'
  await tell({ kind: 'done' })
  line.beforeCursor = '$ '
  await tell({ kind: 'done' })
  expect(pasted).toEqual([])

  const [upload] = store.uploads
  if (!upload) throw new Error('Nothing is said of it')
  store.paste(upload, ['a.txt'])
  expect(pasted).toEqual(['/root/a.txt '])
})

test('no path is pasted when more was skipped than main names', async () => {
  const store = useTerminalUploadsStore()
  const { tab, pasted } = openTerminal(1, '/root')
  await store.drop(tab, put('/a', 'a.txt'))
  await tell({ kind: 'done' }, 101)
  expect(pasted).toEqual([])
})
