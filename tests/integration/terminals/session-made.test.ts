import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ShellWish } from '#domain/terminals/shell-wish.ts'
import { openTerminal, startMachine, type Machine } from '../ssh/machine.ts'
import { waitFor } from '../../support/wait-for.ts'

let machine: Machine
let user: string
beforeAll(async () => {
  machine = await startMachine()
  user = machine.service.sshUser
})
afterAll(() => machine.end())

/** What only a session that is made begins with. */
const made = '\x1b]7711;\x07'

test.each(['tmux', 'screen'] as const)(
  'a session of %s tells that it is made, and not when it is come back to',
  async (kind) => {
    const wish: ShellWish = { kind, session: `made-${process.pid}` }
    const open = async (knownHostsFile?: string) => {
      const terminal = await openTerminal({
        ...{ address: machine.address, identities: machine.identities, user, wish },
        ...(knownHostsFile !== undefined && { knownHostsFile }),
      })
      if (knownHostsFile === undefined) await terminal.trust()
      await terminal.until('open')
      return terminal
    }
    const shows = (terminal: Awaited<ReturnType<typeof open>>, text: string) =>
      waitFor(() => expect(terminal.text()).toContain(text))

    const first = await open()
    await shows(first, made)
    first.type('kept=$((40 + 2)); echo "it is $kept"\n')
    await shows(first, 'it is 42')
    expect(first.text().split(made)).toHaveLength(2)

    const second = await open(first.knownHostsFile)
    second.type('echo "still $kept"\n')
    await shows(second, 'still 42')
    expect(second.text()).not.toContain(made)

    second.type('exit\n')
    await second.until('exited')
  },
)
