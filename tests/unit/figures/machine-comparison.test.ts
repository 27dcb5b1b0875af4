import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Figures, Gpu } from '#domain/figures/figures.ts'
import { checkedItems, openDifferences } from '#domain/figures/machine-check.ts'
import { compareMachine, stillAccepted } from '#services/figures/machine-comparison.ts'

const mebibyte = 1024 * 1024
const record = {
  ...{ num_gpus: 2, gpu_name: 'RTX 4090', gpu_ram: 24_564, cpu_cores_effective: 32 },
  ...{ cpu_ram: 128_800, gpu_frac: 1, disk_space: 200 },
}

function gpu(part: Partial<Gpu> = {}): Gpu {
  return {
    ...{ index: 0, uuid: 'GPU-0', name: 'NVIDIA GeForce RTX 4090', usePercent: 0, memoryUsedBytes: 0 },
    ...{ memoryBytes: 24_564 * mebibyte, celsius: null, watts: null, mostWatts: null, megahertz: null },
    ...part,
  }
}

function figures(part: Partial<Figures> = {}): Figures {
  return {
    at: 5,
    cores: { used: null, limit: 32 },
    memory: { usedBytes: 0, limitBytes: 131e9 },
    disks: [{ path: '/', usedBytes: 20e9, sizeBytes: 200e9 }],
    network: null,
    gpus: { kind: 'measured', list: [gpu(), gpu({ index: 1 })], processes: [] },
    ...part,
  }
}

/** The verdicts that aren't `as-offered`, by their items. */
function exceptions(offered: Readonly<Record<string, unknown>>, found: Figures) {
  const { comparisons } = compareMachine(offered, found)
  return Object.fromEntries(
    comparisons.flatMap(({ item, verdict }) => (verdict === 'as-offered' ? [] : [[item, verdict]])),
  )
}

const withGpus = (...list: readonly Gpu[]): Figures =>
  figures({ gpus: { kind: 'measured', list, processes: [] } })

test('a machine that has what was offered', () => {
  const check = compareMachine(record, figures())
  expect(exceptions(record, figures())).toEqual({})
  expect(check).toMatchObject({ at: 5, gpuTool: 'works', diskFreeBytes: 180e9 })
  expect(check.comparisons.map(({ item }) => item)).toEqual(checkedItems)
  expect(check.comparisons[2]).toEqual({
    ...{ item: 'gpuMemory', offered: 24_564e6, found: 24_564 * mebibyte, verdict: 'as-offered' },
  })
})

describe('less than offered', () => {
  test.each<[string, Figures, Readonly<Record<string, string>>]>([
    ['one GPU of two', withGpus(gpu()), { gpus: 'differs' }],
    ['no GPU at all', withGpus(), { gpus: 'differs', model: 'unknown', gpuMemory: 'unknown' }],
    [
      'a GPU of another model',
      withGpus(gpu(), gpu({ name: 'NVIDIA GeForce RTX 3090' })),
      { model: 'differs' },
    ],
    ['less GPU memory', withGpus(gpu(), gpu({ memoryBytes: 20_470 * mebibyte })), { gpuMemory: 'differs' }],
    ['half of the cores', figures({ cores: { used: 1, limit: 16 } }), { cores: 'differs' }],
    ['less memory', figures({ memory: { usedBytes: 0, limitBytes: 64e9 } }), { memory: 'differs' }],
    [
      'a smaller disk',
      figures({ disks: [{ path: '/', usedBytes: 0, sizeBytes: 100e9 }] }),
      { disk: 'differs' },
    ],
  ])('%s', (_, found, expected) => expect(exceptions(record, found)).toEqual(expected))
})

describe('what is no difference', () => {
  test.each<[string, Readonly<Record<string, unknown>>, Figures]>([
    [
      'memory that error correction keeps',
      { ...record, gpu_ram: 16_384 },
      withGpus(gpu({ memoryBytes: 15_109 * mebibyte }), gpu({ memoryBytes: 15_109 * mebibyte })),
    ],
    [
      'memory that the kernel keeps',
      { ...record, cpu_ram: 64_000 },
      figures({
        memory: { usedBytes: 0, limitBytes: 62.6 * 1024 ** 3 },
      }),
    ],
    [
      'a limit of as many GB as GiB were offered',
      { ...record, cpu_ram: 65_536 },
      figures({
        memory: { usedBytes: 0, limitBytes: 64e9 },
      }),
    ],
    [
      'the share of memory of a part of a machine',
      { ...record, gpu_frac: 0.25 },
      figures({
        memory: { usedBytes: 0, limitBytes: 32.2e9 },
      }),
    ],
    [
      'a share of processors, rounded to whole ones',
      { ...record, cpu_cores_effective: 10.7 },
      figures({
        cores: { used: null, limit: 10 },
      }),
    ],
    [
      'a core of many',
      { ...record, cpu_cores_effective: 128 },
      figures({ cores: { used: null, limit: 124 } }),
    ],
    [
      'what the file system keeps',
      record,
      figures({
        disks: [{ path: '/', usedBytes: 0, sizeBytes: 187e9 }],
      }),
    ],
    [
      'a disk that is nearly full',
      record,
      figures({
        disks: [{ path: '/', usedBytes: 199e9, sizeBytes: 200e9 }],
      }),
    ],
    [
      'more of everything',
      record,
      figures({
        ...{ cores: { used: null, limit: 64 }, memory: { usedBytes: 0, limitBytes: 1e12 } },
        disks: [{ path: '/', usedBytes: 0, sizeBytes: 4e12 }],
      }),
    ],
  ])('%s', (_, offered, found) => expect(exceptions(offered, found)).toEqual({}))
})

test('what can’t be measured is unknown', () => {
  const found = figures({ gpus: { kind: 'no-tool' }, cores: null, memory: null, disks: [] })
  const expected = Object.fromEntries(checkedItems.map((item) => [item, 'unknown']))
  expect(exceptions(record, found)).toEqual(expected)
  expect(compareMachine(record, found)).toMatchObject({ gpuTool: 'missing', diskFreeBytes: null })
  const failing = figures({ gpus: { kind: 'failed', says: 'no driver' } })
  expect(exceptions(record, failing)).toEqual({ gpus: 'unknown', model: 'unknown', gpuMemory: 'unknown' })
  expect(exceptions(record, withGpus(gpu(), gpu({ memoryBytes: null })))).toEqual({ gpuMemory: 'unknown' })
})

test('a difference that the user accepts is none anymore, and another one is', () => {
  const check = compareMachine(record, figures({ cores: { used: null, limit: 4 }, disks: [] }))
  expect(openDifferences({ check, accepted: [] }).map(({ item }) => item)).toEqual(['cores'])
  expect(openDifferences({ check, accepted: ['cores'] })).toEqual([])
  expect(openDifferences({ check: null, accepted: [] })).toEqual([])
})

test('a record that doesn’t say which part of a machine it is of makes no difference of its memory', () => {
  const { gpu_frac: _, ...whole } = record
  const less = figures({ memory: { usedBytes: 0, limitBytes: 32e9 } })
  expect(exceptions(whole, less)).toEqual({ memory: 'unknown' })
  expect(exceptions(whole, figures())).toEqual({})
})

test('what the user lives with is what was found then: less of it is told again', () => {
  const of = (...list: readonly Gpu[]) => compareMachine({ ...record, num_gpus: 8 }, withGpus(...list))
  const check = of(gpu(), gpu(), gpu())
  const notes = { check, accepted: ['gpus', 'disk'] as const }
  expect(stillAccepted(notes, check)).toEqual(['gpus', 'disk'])
  expect(stillAccepted(notes, of(gpu()))).toEqual(['disk'])
  expect(stillAccepted({ check: null, accepted: ['gpus'] }, check)).toEqual([])
})

const anything = fc.oneof(fc.double(), fc.string(), fc.constantFrom(null, undefined, true, -1, Number.NaN))

test('whatever the service says and the machine lacks, what one of them doesn’t tell never differs', () => {
  const fields = fc.record({
    ...{ num_gpus: anything, gpu_name: anything, gpu_ram: anything, cpu_cores_effective: anything },
    ...{ cpu_ram: anything, disk_space: anything, gpu_frac: anything },
  })
  fc.assert(
    fc.property(fields, fc.boolean(), (offered, isBare) => {
      const found = isBare ? figures({ gpus: { kind: 'no-tool' }, cores: null, memory: null }) : figures()
      for (const each of compareMachine(offered, found).comparisons)
        expect(each.verdict === 'unknown', each.item).toBe(
          each.offered === null ||
            each.found === null ||
            ((each.item === 'model' || each.item === 'memory') && each.verdict === 'unknown'),
        )
    }),
  )
})

test('more of what is there makes no difference that wasn’t', () => {
  const size = fc.double({ min: 0, max: 1e15, noNaN: true })
  fc.assert(
    fc.property(size, size, size, (offered, limitBytes, more) => {
      const verdictOf = (bytes: number): string | undefined =>
        exceptions(
          { ...record, cpu_ram: offered / 1e6 },
          figures({ memory: { usedBytes: 0, limitBytes: bytes } }),
        )['memory']
      if (verdictOf(limitBytes) === undefined) expect(verdictOf(limitBytes + more)).toBeUndefined()
      if (limitBytes >= offered) expect(verdictOf(limitBytes)).toBeUndefined()
    }),
  )
})
