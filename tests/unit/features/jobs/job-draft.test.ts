import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jobDefinition } from '#domain/jobs/job-definition.ts'
import { jobOrder } from '#domain/jobs/job.ts'
import { defaultOfferQuery } from '#domain/offers/offer.ts'
import {
  checkDraft,
  draftOfDefinition,
  type DraftSurroundings,
  type JobDraft,
} from '../../../../src-renderer/features/jobs/job-draft.ts'

const draft: JobDraft = {
  folder: '/home/sam/train',
  name: ' Train ',
  command: 'python train.py',
  honorGitignore: true,
  exclude: 'data/\n\n *.zip ',
  fetch: 'out/',
  place: 'instance',
  instanceId: 7,
  image: '',
  templateHashId: null,
  disk: '40',
  addSshKey: true,
  then: 'destroy',
  stopsItself: true,
  stopAfter: '30',
}
const around: DraftSurroundings = {
  instanceIds: [7],
  search: { name: 'cheap', query: defaultOfferQuery },
  plan: { machines: 3, capPerHourUsd: 0.5, bootMinutes: 10, giveUpAfterMinutes: 120 },
  isUncapped: false,
  hasKey: true,
}
const errorsOf = (part: Partial<JobDraft>, where: Partial<DraftSurroundings> = {}) =>
  checkDraft({ ...draft, ...part }, { ...around, ...where }).errors

test('a complete draft is an order, with a pattern a line', () => {
  const { errors, order } = checkDraft(draft, around)
  expect(errors).toEqual({})
  expect(order?.definition).toMatchObject({ name: 'Train', stopAfterMinutes: 30 })
  expect(order?.definition.send.exclude).toEqual(['data/', '*.zip'])
  expect(order?.place).toEqual({ kind: 'instance', instanceId: 7 })
})

test('an instance is rented with the search, the limits, and the image', () => {
  const { order } = checkDraft({ ...draft, place: 'rent', image: ' ubuntu:24.04 ' }, around)
  expect(jobOrder.safeParse(order).success).toBe(true)
  expect(order?.place).toMatchObject({
    kind: 'rent',
    searchName: 'cheap',
    options: { image: 'ubuntu:24.04', diskGb: 40, addSshKey: true },
    plan: around.plan,
  })
})

test.each<[string, Partial<JobDraft>, Partial<DraftSurroundings>]>([
  ['folder', { folder: '' }, {}],
  ['name', { name: ' ' }, {}],
  ['command', { command: '\n' }, {}],
  ['exclude', { exclude: 'x'.repeat(301) }, {}],
  ['exclude', { exclude: '*.zip\n!secrets/' }, {}],
  ['exclude', { exclude: 'x\n'.repeat(201) }, {}],
  ['fetch', { fetch: 'out/\n../secrets' }, {}],
  ['fetch', { fetch: '/etc/passwd' }, {}],
  ['stopAfter', { stopAfter: 'soon' }, {}],
  ['stopAfter', { stopAfter: '0' }, {}],
  ['instanceId', { instanceId: null }, {}],
  ['instanceId', {}, { instanceIds: [8] }],
  ['search', { place: 'rent', image: 'a' }, { search: null }],
  ['image', { place: 'rent' }, {}],
  ['disk', { place: 'rent', image: 'a', disk: '-1' }, {}],
  ['key', { place: 'rent', image: 'a' }, { hasKey: false }],
  ['plan', { place: 'rent', image: 'a' }, { plan: null }],
])('what is wrong stands at its field: %s', (field, part, where) => {
  expect(Object.keys(errorsOf(part, where))).toEqual([field])
  expect(checkDraft({ ...draft, ...part }, { ...around, ...where }).order).toBeNull()
})

test('the line that is wrong is named, and the first of several', () => {
  expect(errorsOf({ fetch: 'out/\n!a\n../b' }).fetch).toMatch(/^“!a”: /)
})

test('what isn’t asked for may be anything', () => {
  expect(errorsOf({ stopsItself: false, stopAfter: 'soon', disk: '' }, { search: null, plan: null })).toEqual(
    {},
  )
})

test('a definition that can be saved needs neither folder nor place', () => {
  const { definition } = checkDraft({ ...draft, folder: '', instanceId: null }, around)
  expect(definition?.name).toBe('Train')
})

test('a definition comes through the form as it was', () => {
  const line = fc
    .stringMatching(/^[a-z][a-z*/.]{0,20}[a-z]$/)
    .filter((text) => !text.split('/').includes('..'))
  const definition = fc.record({
    name: fc.stringMatching(/^[a-z]{1,20}$/),
    command: fc.constantFrom('a', 'a\nb', ' indented'),
    send: fc.record({ honorGitignore: fc.boolean(), exclude: fc.array(line, { maxLength: 5 }) }),
    fetch: fc.array(line, { maxLength: 5 }),
    then: fc.constantFrom('keep', 'stop', 'destroy'),
    stopAfterMinutes: fc.option(fc.integer({ min: 1, max: 10_080 })),
  })
  fc.assert(
    fc.property(definition, (given) => {
      const parsed = jobDefinition.parse(given)
      expect(checkDraft({ ...draft, ...draftOfDefinition(parsed) }, around).definition).toEqual(parsed)
    }),
  )
})
