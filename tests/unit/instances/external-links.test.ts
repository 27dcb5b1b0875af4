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
  }: { alias?: string | null; answer?: 'opened' | 'failed'; isUnanswered?: boolean } = {},
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
      programs: { openVsCode: open, openPort: open },
      activity: { note: async (_, event) => void noted.push(event) },
    }),
  }
}

test('VS Code gets the direct address, or the name in the SSH configuration; the log gets a line', async () => {
  const direct = links(machine)
  expect(await direct.openVsCode(7)).toBe('opened')
  expect(direct.opened).toEqual(['vscode://vscode-remote/ssh-remote+root@203.0.113.7:40021/root'])
  expect(direct.noted).toEqual([{ kind: 'vscode-opened' }])
  const named = links(machine, { alias: 'slipway-7' })
  await named.openVsCode(7)
  expect(named.opened).toEqual(['vscode://vscode-remote/ssh-remote+slipway-7/root'])
})

test('where no address answers, VS Code is opened all the same, and that is told', async () => {
  const silent = links(machine, { isUnanswered: true })
  expect(await silent.openVsCode(7)).toBe('opened-unanswered')
  expect(silent.opened).toEqual(['vscode://vscode-remote/ssh-remote+root@203.0.113.7:40021/root'])
})

test('what stands in the way is told, and nothing is opened', async () => {
  const without = links({ id: 7 })
  expect(await without.openVsCode(7)).toBe('no-address')
  expect(await without.openVsCode(8)).toBe('gone')
  const six = links({ ...machine, public_ipaddr: '2001:db8::1' })
  expect(await six.openVsCode(7)).toBe('needs-alias')
  expect([...without.opened, ...six.opened]).toEqual([])
  const failing = links(machine, { answer: 'failed' })
  expect(await failing.openVsCode(7)).toBe('no-program')
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
