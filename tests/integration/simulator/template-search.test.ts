import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { createTemplate, findTemplates, type TemplateRecord } from './template-caller.ts'

let simulator: Simulator
let all: readonly TemplateRecord[]

beforeAll(async () => {
  simulator = await startSimulator({ offers: 1, templates: 60 })
  await createTemplate(simulator, { docker_login_repo: 'registry.example.com', jup_direct: true })
  all = await findTemplates(simulator)
})
afterAll(() => simulator.close())

const FIELDS = [
  ...['creator_id', 'created_at', 'count_created', 'default_tag', 'docker_login_repo', 'id', 'image'],
  ...['jup_direct', 'hash_id', 'name', 'recent_create_date', 'recommended_disk_space', 'recommended'],
  ...['ssh_direct', 'tag', 'use_ssh'],
]
type Value = string | number | boolean
const OPERATORS: Readonly<Record<string, (actual: Value, value: Value, list: readonly Value[]) => boolean>> =
  {
    eq: (actual, value) => actual === value,
    neq: (actual, value) => actual !== value,
    lt: (actual, value) => actual < value,
    lte: (actual, value) => actual <= value,
    gt: (actual, value) => actual > value,
    gte: (actual, value) => actual >= value,
    in: (actual, _value, list) => list.includes(actual),
    notin: (actual, _value, list) => !list.includes(actual),
  }

const isValue = (value: unknown): value is Value => ['string', 'number', 'boolean'].includes(typeof value)
const cases = FIELDS.flatMap((field) => Object.keys(OPERATORS).map((operator) => [field, operator] as const))

it.each(cases)('finds by %s %s exactly the templates that fit', async (field, operator) => {
  const values = [...new Set(all.map((template) => template[field]).filter(isValue))].sort()
  const middle = values[Math.floor(values.length / 2)]
  const list = values.slice(0, Math.ceil(values.length / 2))
  const test = OPERATORS[operator]
  if (middle === undefined || test === undefined) throw new Error(`no template has a ${field}`)
  const found = await findTemplates(simulator, {
    [field]: { [operator]: operator.endsWith('in') ? list : middle },
  })
  const expected = all.filter(({ [field]: actual }) => isValue(actual) && test(actual, middle, list))
  expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
})

it('wants all of several filters', async () => {
  const filters = { use_ssh: { eq: true }, recommended_disk_space: { gte: 20, lt: 80 } }
  const found = await findTemplates(simulator, filters)
  const fits = ({ use_ssh: ssh, recommended_disk_space: disk }: TemplateRecord): boolean =>
    ssh === true && Number(disk) >= 20 && Number(disk) < 80
  expect(found.length).toBeGreaterThan(0)
  expect(found).toEqual(all.filter(fits))
})
