import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTerminal, startMachine, type Machine } from '../ssh/machine.ts'
import { startProxy } from '../ssh/proxy.ts'
import { waitFor } from '../../support/wait-for.ts'

let machine: Machine
beforeAll(async () => {
  machine = await startMachine()
})
afterAll(() => machine.end())

async function shell(address = machine.address) {
  const terminal = await openTerminal({
    ...{ address, identities: machine.identities, user: machine.service.sshUser },
  })
  await terminal.trust()
  await terminal.until('open')
  terminal.type('PS1=; echo re""ady\n')
  await waitFor(() => expect(terminal.text()).toContain('ready'))
  return terminal
}

const titles = ({ told }: Awaited<ReturnType<typeof shell>>) => told.map(({ title }) => title)

test(
  'output that ends is told after 10 s, once, and its text is not among the words',
  { timeout: 60_000 },
  async () => {
    const terminal = await shell()
    terminal.notifyWhenDone()
    expect(terminal.followed()).toEqual([{ terminalId: 'terminal-1', notifies: true, log: null }])
    terminal.type('sleep 2; echo sec""ret; sleep 5; echo more\n')
    await waitFor(() => expect(terminal.text()).toMatch(/^more/m))
    expect(terminal.told).toEqual([])
    await waitFor(() => expect(titles(terminal)).toEqual(['No output for 10 seconds on instance 1']), {
      timeoutMs: 20_000,
    })
    expect(JSON.stringify(terminal.told)).not.toContain('secret')
    expect(terminal.followed()).toEqual([])
  },
)

test('the end of the shell is told with its code; a window’s word of a command’s end comes first', async () => {
  const terminal = await shell()
  terminal.notifyWhenDone()
  terminal.type('sleep 2; exit 7\n')
  expect(await terminal.until('exited')).toMatchObject({ code: 7 })
  expect(titles(terminal)).toEqual(['Shell ended on instance 1 (exit code 7)'])
  terminal.reconnect()
  await terminal.until('open')
  terminal.notifyWhenDone()
  for (let spam = 0; spam < 500; spam += 1) terminal.send({ kind: 'command-ended', code: 2 })
  terminal.type('exit\n')
  await terminal.until('exited')
  expect(titles(terminal).slice(1)).toEqual(['Command ended on instance 1 (exit code 2)'])
})

test('a lost connection is told at once for a plain shell, whose processes may have ended', async () => {
  const proxy = await startProxy(machine.address)
  const terminal = await shell(proxy.address)
  terminal.notifyWhenDone()
  proxy.cut()
  await terminal.until('reconnecting')
  expect(titles(terminal)).toEqual(['Connection to instance 1 lost'])
})

test('closed by its user, nothing is told', async () => {
  const terminal = await shell()
  terminal.notifyWhenDone()
  await terminal.close()
  await terminal.closed
  expect(terminal.told).toEqual([])
  expect(terminal.followed()).toEqual([])
})
