import fc from 'fast-check'
import { rentHints, type DefinitionContent } from '#domain/jobs/definition-file.ts'
import { jobDefinition, jobEnd } from '#domain/jobs/job-definition.ts'

const name = (maxLength: number) =>
  fc.string({ minLength: 1, maxLength }).filter((text) => text.trim() !== '')
const pattern = fc
  .array(fc.constantFrom('out', 'log.txt', '*.pt', '**', 'a b', 'é'), { minLength: 1, maxLength: 4 })
  .map((names) => names.join('/'))
const fieldName = fc.constantFrom(
  'gpu_ram',
  'gpu_name',
  'dph_total',
  'geolocation',
  'a.b',
  '$schema',
  'constructor',
)

/** As it's read again: JSON has no -0. */
const jsonValue = fc.jsonValue({ maxDepth: 4 }).map((value): unknown => JSON.parse(JSON.stringify(value)))

/** Any definition that there can be, with or without how to rent for it. */
export const anyDefinitionContent: fc.Arbitrary<DefinitionContent> = fc.record({
  definition: fc
    .record({
      name: name(100),
      command: name(2000).filter((text) => !text.includes('\0')),
      send: fc.record({ honorGitignore: fc.boolean(), exclude: fc.array(pattern, { maxLength: 20 }) }),
      fetch: fc.array(pattern, { maxLength: 20 }),
      then: fc.constantFrom(...jobEnd.options),
      stopAfterMinutes: fc.option(fc.integer({ min: 1, max: 10_080 })),
    })
    .map((definition) => jobDefinition.parse(definition)),
  rent: fc.option(
    fc
      .record({
        search: fc.record({
          filters: fc.dictionary(
            fieldName,
            fc.dictionary(fc.constantFrom('eq', 'gte', 'in', 'near'), jsonValue),
          ),
          order: fc.array(fc.tuple(fieldName, fc.constantFrom('asc' as const, 'desc' as const)), {
            maxLength: 3,
          }),
          type: name(20),
          limit: fc.integer({ min: 1, max: 10_000 }),
        }),
        image: fc.option(name(100)),
        diskGb: fc.integer({ min: 1, max: 1_000_000 }),
        limits: fc.record({
          machines: fc.integer({ min: 1, max: 20 }),
          capPerHourUsd: fc.option(fc.double({ min: 0.001, max: 1000, noNaN: true })),
          bootMinutes: fc.integer({ min: 1, max: 240 }),
          giveUpAfterMinutes: fc.integer({ min: 1, max: 10_080 }),
        }),
      })
      .map((rent) => rentHints.parse(rent)),
  ),
})
