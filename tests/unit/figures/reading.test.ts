import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { figuresBetween, readLine } from '#services/figures/reading.ts'
import { figures as schema } from '#domain/figures/figures.ts'
import { recorded } from './recorded.ts'

const gibibyte = 2 ** 30

/** A container of four cores and 8 GiB on a larger machine, by cgroup 2. */
const container = {
  version: '1',
  uptime: '1000.50 3000.00\n',
  cores: '64\n',
  quota: '400000 100000\n',
  use: 'usage_usec 50000000\nuser_usec 40000000\nsystem_usec 10000000\n',
  memory: `${3 * gibibyte}\n${8 * gibibyte}\n`,
  cache: `inactive_file ${gibibyte}\n`,
  machine: 'MemTotal:       528280000 kB\nMemFree:        1 kB\nMemAvailable:   264140000 kB\n',
  network:
    'Inter-|   Receive                                                |  Transmit\n' +
    ' face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed\n' +
    '    lo: 999 1 0 0 0 0 0 0 999 1 0 0 0 0 0 0\n  eth0: 5000 9 0 0 0 0 0 0 700 9 0 0 0 0 0 0\n',
  disks:
    'Filesystem     1024-blocks     Used Available Capacity Mounted on\n' +
    'overlay           10485760  5242880   5242880      50% /\n' +
    '/dev/sdb1         20971520  2097152  18874368      10% /workspace\n' +
    '/dev/sdb1         20971520  2097152  18874368      10% /workspace/data\n',
}
const read = (more: object = {}) => readLine(JSON.stringify({ ...container, ...more }))
const figures = (more: object = {}) => {
  const reading = read(more)
  if (reading === null) throw new Error('It is no line')
  return figuresBetween(null, reading, 0)
}

describe('what an instance counts', () => {
  test('of a container by its cgroup: cores by its quota, memory without what is only cached, each disk once', () => {
    expect(read()).toMatchObject({
      uptime: 1000.5,
      cores: { usedSeconds: 50, limit: 4 },
      memory: { usedBytes: 2 * gibibyte, limitBytes: 8 * gibibyte },
      disks: [
        { path: '/', usedBytes: 5 * gibibyte, sizeBytes: 10 * gibibyte },
        { path: '/workspace', usedBytes: 2 * gibibyte, sizeBytes: 20 * gibibyte },
      ],
      network: { inBytes: 5000, outBytes: 700 },
      gpus: { kind: 'no-tool' },
    })
  })

  test('by cgroup 1, which has no bound when it has a huge one', () => {
    const first = {
      ...{ cores: '2\n', quota: '-1\n100000\n', use: '51657862212422\n' },
      memory: `${4 * gibibyte}\n9223372036854771712\n`,
      cache: `inactive_file 24576\ntotal_inactive_file ${gibibyte}\n`,
    }
    expect(read(first)).toMatchObject({
      cores: { usedSeconds: 51657.862212422, limit: 2 },
      memory: { usedBytes: 3 * gibibyte, limitBytes: 528280000 * 1024 },
    })
  })

  test('of the whole machine where no cgroup tells', () => {
    const whole = {
      ...{ quota: '', memory: '', cache: '' },
      use: 'cpu  1000 10 500 90000 300 20 30 40 0 0\n',
    }
    expect(read(whole)).toMatchObject({
      cores: { usedSeconds: 16, limit: 64 },
      memory: { usedBytes: 264140000 * 1024, limitBytes: 528280000 * 1024 },
    })
  })

  test('what is not told is null, never 0', () => {
    const { uptime, version } = container
    expect(readLine(JSON.stringify({ version, uptime }))).toEqual({
      ...{ uptime: 1000.5, cores: null, memory: null, disks: [], network: null, gpus: { kind: 'no-tool' } },
    })
  })

  test.each([
    ['no JSON', '{"version":"1"'],
    ['another version', JSON.stringify({ ...container, version: '2' })],
    ['no time', JSON.stringify({ ...container, uptime: 'soon' })],
    ['a number in place of a text', JSON.stringify({ ...container, disks: 7 })],
  ])('%s is no line', (_, text) => expect(readLine(text)).toBeNull())

  test('whatever a machine says, what is read is within bounds', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.constantFrom(...Object.values(container)),
      fc.stringMatching(/^[0-9 ,.\n%/a-z:-]*$/),
    )
    const line = fc.record(
      Object.fromEntries([...Object.keys(container), 'nvidia', 'apps', 'rocm'].map((name) => [name, texts])),
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(line, (told) => {
        const reading = readLine(JSON.stringify({ ...told, version: '1', uptime: '5.0 1.0' }))
        if (reading === null) return
        const said = figuresBetween(null, reading, 0)
        expect(schema.parse(said)).toEqual(said)
        expect(said.disks.length).toBeLessThanOrEqual(16)
      }),
    )
  })
})

describe('what GPUs do', () => {
  test('of one: its use, memory, warmth, power, and clock, and what holds it', () => {
    expect(figures(recorded.one).gpus).toEqual({
      kind: 'measured',
      list: [
        {
          ...{ index: 0, uuid: 'GPU-5f8a2f8e-0c3e-2a8a-6f61-8d3e6f3f2c11', name: 'NVIDIA GeForce RTX 4090' },
          ...{ usePercent: 37, memoryUsedBytes: 8321 * 2 ** 20, memoryBytes: 24564 * 2 ** 20 },
          ...{ celsius: 61, watts: 214.33, mostWatts: 450, megahertz: 2520 },
        },
      ],
      processes: [{ gpuIndex: 0, pid: 4117, name: '/usr/bin/python3', memoryBytes: 8 * gibibyte }],
    })
  })

  test('of eight', () => {
    const { gpus } = figures(recorded.eight)
    expect(gpus.kind === 'measured' && gpus.list.map(({ usePercent }) => usePercent)).toEqual([
      0, 12, 24, 36, 48, 60, 72, 84,
    ])
  })

  test('none is none, no tool is unknown, and a tool that fails says why', () => {
    expect(figures(recorded.none).gpus).toEqual({ kind: 'measured', list: [], processes: [] })
    expect(figures().gpus).toEqual({ kind: 'no-tool' })
    const failed = figures(recorded.driverError).gpus
    expect(failed).toMatchObject({ kind: 'failed' })
    expect(failed.kind === 'failed' && failed.says).toMatch(/^NVIDIA-SMI has failed because.{1,100}$/)
    expect(figures({ nvidia: 'exit 124\n' }).gpus).toMatchObject({ kind: 'failed' })
  })

  test('in MIG mode, and fallen off the bus: what isn’t told is null', () => {
    expect(figures(recorded.mig).gpus).toMatchObject({
      list: [{ usePercent: null, memoryUsedBytes: 10 * gibibyte }],
      processes: [{ gpuIndex: null, pid: 77, memoryBytes: null }],
    })
    expect(figures(recorded.lost).gpus).toMatchObject({
      list: [{ usePercent: 0 }, { index: 1, usePercent: null, memoryUsedBytes: null, celsius: null }],
    })
  })

  test('what is too large or no whole number is null', () => {
    const odd = {
      disks:
        'Filesystem 1024-blocks Used Available Capacity Mounted on\ns3fs 17592186044416 0 17592186044416 0% /s3\n',
      nvidia: '0, GPU-0, A, 5, 999999999999999, 0.5, 1, 1, 1, 1\n0.5, GPU-1, B, 5, 1, 1, 1, 1, 1, 1\n',
      apps: 'GPU-0, 4.4, 1, python\n',
    }
    const said = figures(odd)
    expect(schema.parse(said)).toEqual(said)
    expect(said.disks).toEqual([])
    expect(said.gpus).toMatchObject({ list: [{ index: 0, memoryUsedBytes: null }] })
  })

  test('a warning doesn’t take what is known', () => {
    expect(figures({ ...recorded.one, nvidia: `${recorded.one.nvidia}exit 14\n` }).gpus).toMatchObject({
      kind: 'measured',
      list: [{ usePercent: 37 }],
    })
  })

  test('by ROCm', () => {
    expect(figures(recorded.rocm).gpus).toEqual({
      kind: 'measured',
      list: [
        {
          ...{ index: 0, uuid: null, name: 'AMD Instinct MI300X OAM', usePercent: 12 },
          ...{ memoryUsedBytes: 297418752, memoryBytes: 206141652992 },
          ...{ celsius: 44, watts: 141, mostWatts: null, megahertz: 132 },
        },
      ],
      processes: [],
    })
    expect(figures({ rocm: 'ERROR: no driver\nexit 1\n' }).gpus).toEqual({
      kind: 'failed',
      says: 'ERROR: no driver',
    })
  })
})

describe('between two lines', () => {
  test('use is by the time between them', () => {
    const [before, after] = [
      read(),
      read({
        uptime: '1005.50 1.0\n',
        use: 'usage_usec 60000000\n',
        network: 'eth0: 10000 9 0 0 0 0 0 0 1700 9 0 0 0 0 0 0\n',
      }),
    ]
    if (before === null || after === null) throw new Error('They are no lines')
    expect(figuresBetween(before, after, 7)).toMatchObject({
      at: 7,
      cores: { used: 2, limit: 4 },
      network: { inBytesPerSecond: 1000, outBytesPerSecond: 200 },
    })
    expect(figuresBetween(after, before, 7), 'it has started again').toMatchObject({
      ...{ cores: { used: null, limit: 4 }, network: null },
    })
  })
})
