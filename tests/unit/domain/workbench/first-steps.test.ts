import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  firstStepKinds,
  firstStepsOf,
  showsFirstSteps,
  stepsShownBy,
  type FirstStepFacts,
} from '#domain/workbench/first-steps.ts'

const newcomer: FirstStepFacts = { isConnected: true, creditUsd: 0, hasLoginKey: false, done: [] }
const open = (facts: FirstStepFacts) =>
  firstStepsOf(facts).flatMap(({ kind, state }) => (state === 'open' ? [kind] : []))
const machine = (id: number, status: string | null = 'running', record = {}) => ({
  id,
  status,
  record,
  history: [],
})

test('a newcomer has everything before them, in the order of the work', () => {
  expect(firstStepsOf({ ...newcomer, isConnected: false }).map(({ kind }) => kind)).toEqual(firstStepKinds)
  expect(open({ ...newcomer, isConnected: false })).toEqual(firstStepKinds)
})

test('what is there is done', () => {
  expect(open(newcomer)).toEqual(['credit', 'ssh-key', 'rent', 'shell', 'end'])
  expect(open({ ...newcomer, creditUsd: 20, hasLoginKey: true })).toEqual(['rent', 'shell', 'end'])
  expect(open({ ...newcomer, creditUsd: 20, hasLoginKey: true, done: ['rent', 'shell', 'end'] })).toEqual([])
})

test('what nobody knows is not asked for', () => {
  const steps = firstStepsOf({ ...newcomer, creditUsd: undefined, hasLoginKey: null })
  expect(steps.filter(({ state }) => state === 'unknown').map(({ kind }) => kind)).toEqual([
    'credit',
    'ssh-key',
  ])
})

test('credit that is used up does not make a newcomer of somebody who has rented', () => {
  expect(open({ ...newcomer, done: ['rent', 'shell', 'end'] })).toEqual(['ssh-key'])
})

describe('the steps are seen', () => {
  const done = firstStepsOf({
    isConnected: true,
    creditUsd: 5,
    hasLoginKey: true,
    done: ['rent', 'shell', 'end'],
  })
  test('only while there is something to do', () => {
    expect(showsFirstSteps('while-open', firstStepsOf(newcomer))).toBe(true)
    expect(showsFirstSteps('while-open', done)).toBe(false)
  })
  test('not once they are put away, and always once they are brought back', () => {
    expect(showsFirstSteps('never', firstStepsOf(newcomer))).toBe(false)
    expect(showsFirstSteps('always', done)).toBe(true)
  })
})

describe('lists tell what was done', () => {
  const shown = (
    before: Parameters<typeof stepsShownBy>[0]['before'],
    now: ReturnType<typeof machine>[],
    hasShell = false,
  ) => stepsShownBy({ before, now, hasShell })

  test('nothing before there is a machine', () => {
    expect(shown(null, [])).toEqual([])
    expect(shown([], [])).toEqual([])
  })
  test('a machine was rented, and a shell is open on it', () => {
    expect(shown([], [machine(1, null)])).toEqual(['rent'])
    expect(shown([machine(1)], [machine(1)], true)).toEqual(['rent', 'shell'])
  })
  test('it was stopped, or is gone', () => {
    expect(shown([machine(1)], [machine(1, 'stopped')])).toEqual(['rent', 'end'])
    expect(shown([machine(1)], [machine(1, 'exited', { cur_state: 'stopped' })])).toEqual(['rent', 'end'])
    expect(shown([machine(1)], [])).toEqual(['rent', 'end'])
  })
  test('a machine that broke by itself was not stopped', () => {
    expect(shown([machine(1)], [machine(1, 'offline')])).toEqual(['rent'])
  })
  test('a step is never done before the one that it needs', () => {
    const machines = fc.array(
      fc
        .integer({ min: 1, max: 4 })
        .chain((id) =>
          fc.constantFrom('running', 'stopped', 'loading', null).map((status) => machine(id, status)),
        ),
      { maxLength: 4 },
    )
    fc.assert(
      fc.property(fc.option(machines), machines, fc.boolean(), (before, now, hasShell) => {
        const steps = shown(before, now, hasShell)
        if (steps.length > 0) expect(steps[0]).toBe('rent')
        expect(new Set(steps).size).toBe(steps.length)
      }),
    )
  })
})
