import { beforeEach, expect, test } from 'vitest'
import { ProblemError } from '#domain/base/problem.ts'
import { plainShell } from '#domain/terminals/shell-wish.ts'
import { createConnections } from '#services/ssh/connection/connections.ts'
import { createTerminals, type Terminals } from '#services/terminals/terminals.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { memoryLog } from '../../support/memory-log.ts'

const knownHostsFile = '/nowhere/known_hosts'
const request = { instanceId: 1, wish: plainShell, cols: 80, rows: 24 }
let clock: FakeClock
let terminals: Terminals

beforeEach(() => {
  clock = new FakeClock()
  const log = memoryLog()
  const connections = createConnections({
    findTarget: () => new Promise(() => undefined),
    user: () => 'anybody',
    identities: () => Promise.reject(new Error('not asked')),
    knownHostsFile,
    clock,
    random: () => 0.5,
    log,
  })
  terminals = createTerminals({
    ...{ connections, knownHostsFile, clock, log },
    randomId: () => 'terminal-1',
    notify: () => undefined,
    labelOf: () => null,
    chooseFile: () => Promise.resolve(null),
    redactLines: (text) => text,
  })
})

test('a terminal whose window never hands over its port is closed', async () => {
  const { terminalId } = terminals.open(request)
  await clock.advance(59_000)
  terminals.resize(terminalId, { cols: 100, rows: 40 })
  await clock.advance(2_000)
  expect(() => terminals.resize(terminalId, { cols: 100, rows: 40 })).toThrow(ProblemError)
})

test('a terminal that has its port stays', async () => {
  const { terminalId } = terminals.open(request)
  terminals.attach(terminalId, { listen: () => undefined, post: () => undefined, close: () => undefined })
  await clock.advance(3_600_000)
  terminals.resize(terminalId, { cols: 100, rows: 40 })
  await terminals.dispose()
})
