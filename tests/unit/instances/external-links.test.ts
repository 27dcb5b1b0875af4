import { expect, test } from 'vitest'
import type { ActivityEvent } from '#domain/instances/activity.ts'
import type { InstanceRecord } from '#domain/instances/instance.ts'
import { createExternalLinks } from '#services/instances/external-links.ts'

const machine: InstanceRecord = {
  id: 7,
  public_ipaddr: '203.0.113.7',
  ports: { '22/tcp': [{ HostPort: '40021' }], '8080/tcp': [{ HostPort: '40022' }] },
}

function links(
  record: InstanceRecord,
  {
    alias = null,
    answer = 'opened',
    isUnanswered = false,
    folder = null,
  }: {
    alias?: string | null
    answer?: 'opened' | 'failed'
    isUnanswered?: boolean
    folder?: string | null
  } = {},
) {
  let isProbed = false
  const opened: string[] = []
  const noted: ActivityEvent[] = []
  const open = async (url: string) => (opened.push(url), answer)
  return {
    opened,
    noted,
    ...createExternalLinks({
      list: {
        find: (id) =>
          id === record.id ? { id, status: 'running', record, history: [], pending: null } : undefined,
      },
      user: () => 'root',
      aliasOf: () => Promise.resolve(alias),
      routes: {
        probe: async () => {
          isProbed = true
          return { isUnanswered }
        },
        programAddress: (_, { direct, proxy }) => (isProbed ? (direct ?? proxy) : null),
      },
      programs: { openEditor: (_, link) => open(link), openPort: open },
      hasEditor: (editor) => editor !== 'cursor',
      lastFolderOf: () => folder,
      activity: { note: async (_, event) => void noted.push(event) },
    }),
  }
}

test('an editor gets the direct address, or the name in the SSH configuration; the log gets a line', async () => {
  const direct = links(machine)
  expect(await direct.openEditor(7, 'vscode')).toBe('opened')
  expect(direct.opened).toEqual(['vscode://vscode-remote/ssh-remote+root@203.0.113.7:40021/root'])
  expect(direct.noted).toEqual([{ kind: 'editor-opened', editor: 'vscode' }])
  const named = links(machine, { alias: 'slipway-7' })
  await named.openEditor(7, 'vscode')
  expect(named.opened).toEqual(['vscode://vscode-remote/ssh-remote+slipway-7/root'])
})

test('where no address answers, the editor is opened all the same, and that is told', async () => {
  const silent = links(machine, { isUnanswered: true })
  expect(await silent.openEditor(7, 'vscode')).toBe('opened-unanswered')
  expect(silent.opened).toEqual(['vscode://vscode-remote/ssh-remote+root@203.0.113.7:40021/root'])
})

test('the folder that was used last is opened, in each editor that this computer has', async () => {
  const used = links(machine, { folder: '/workspace/model' })
  expect(used.editors()).toEqual(['vscode', 'zed', 'gateway'])
  for (const editor of used.editors()) expect(await used.openEditor(7, editor)).toBe('opened')
  expect(used.opened).toEqual([
    'vscode://vscode-remote/ssh-remote+root@203.0.113.7:40021/workspace/model',
    'zed://ssh/root@203.0.113.7:40021/workspace/model',
    'jetbrains-gateway://connect#type=ssh&deploy=false&host=203.0.113.7&port=40021&user=root&projectPath=%2Fworkspace%2Fmodel',
  ])
})

test('a folder that is asked for is opened instead of the one that was used last', async () => {
  const used = links(machine, { folder: '/workspace' })
  await used.openEditor(7, 'zed', '/workspace/model a')
  expect(used.opened).toEqual(['zed://ssh/root@203.0.113.7:40021/workspace/model%20a'])
})

test('what stands in the way is told, and nothing is opened', async () => {
  const without = links({ id: 7 })
  expect(await without.openEditor(7, 'vscode')).toBe('no-address')
  expect(await without.openEditor(8, 'vscode')).toBe('gone')
  const six = links({ ...machine, public_ipaddr: '2001:db8::1' })
  expect(await six.openEditor(7, 'vscode')).toBe('needs-alias')
  expect([...without.opened, ...six.opened]).toEqual([])
  const failing = links(machine, { answer: 'failed' })
  expect(await failing.openEditor(7, 'vscode')).toBe('no-program')
  expect(failing.noted).toEqual([])
})

test('a port is opened only while the service maps it, and never that of SSH', async () => {
  const { openPort, opened } = links(machine)
  const port = { id: 7, containerPort: 8080, hostPort: 40_022, scheme: 'http' } as const
  expect(await openPort(port)).toBe('opened')
  expect(await openPort({ ...port, hostPort: 40_023 })).toBe('gone')
  expect(await openPort({ ...port, containerPort: 22, hostPort: 40_021 })).toBe('gone')
  expect(opened).toEqual(['http://203.0.113.7:40022/'])
})
