import { expect, it } from 'vitest'
import { planForPort, type Forward, type ForwardPlan } from '#domain/forwards/forward.ts'
import {
  browserAddressOf,
  offeredPorts,
  openPortLabel,
  unforwardedPorts,
} from '#shared/forwards/forward-names.ts'

const forward = (plan: ForwardPlan, state: Forward['state'] = { kind: 'open', refusal: null }): Forward => ({
  ...{ id: 'a', instanceId: 7, plan, name: '', isJupyter: false, browserHost: 'web-7.localhost', state },
  traffic: { sentBytes: 0, receivedBytes: 0, connections: 0 },
})
const open = (port: number, isNew = true) => ({ port, isNew, isJupyter: false })

it('offers new ports that no forward is about, the newest first', () => {
  const remote = {
    kind: 'remote',
    entrance: { port: 9000, reach: 'loopback' },
    to: { host: 'localhost', port: 1 },
  } as const
  const ports = [open(22_000, false), open(6006), open(9000), open(8888), open(7860)]
  const forwards = [
    forward(planForPort(8888)),
    forward(remote),
    forward(planForPort(6006), { kind: 'stopped' }),
  ]
  expect(offeredPorts(ports, forwards).map(({ port }) => port)).toEqual([7860, 6006])
  expect(unforwardedPorts(ports, forwards).map(({ port }) => port)).toEqual([22_000, 6006, 7860])
})

it('shows where a browser finds a forward while it listens', () => {
  const one = forward(planForPort(8188))
  expect(browserAddressOf(one)).toBe('http://web-7.localhost:8188/')
  expect(browserAddressOf({ ...one, state: { kind: 'stopped' } })).toBeNull()
  expect(browserAddressOf({ ...one, browserHost: null })).toBeNull()
})

it('says what a button opens, and what is only usual as a guess', () => {
  expect(openPortLabel({ port: 8080, isJupyter: true })).toBe('Open Jupyter (port 8080)')
  expect(openPortLabel({ port: 6006, isJupyter: false })).toBe('Open port 6006 (usually TensorBoard)')
  expect(openPortLabel({ port: 9000, isJupyter: false })).toBe('Open port 9000')
})
