import fc from 'fast-check'
import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { LineLogEnd } from '#domain/base/line-log.ts'
import { Redactor } from '#domain/base/redact.ts'
import { LogLines, localTime } from '#services/storage/line-log/log-lines.ts'
import { openLineLog, type LineLogOptions } from '#services/storage/line-log/line-log.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const at = Date.UTC(2026, 10, 26, 22, 45, 1, 123)
const stamp = localTime(at)
const plain = (text: string): string => text
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

async function start(options: Partial<LineLogOptions> = {}) {
  const path = join(await temporaryFolder(), 'train.log')
  const ends: LineLogEnd[] = []
  const log = await openLineLog({
    ...{ path, header: ['head'], redactLines: plain, now: () => at, onEnd: (end) => ends.push(end) },
    ...options,
  })
  return { log, path, ends, text: () => readFile(path, 'utf8') }
}

test('times have the zone of this computer', () => {
  expect(localTime(at, 60)).toBe('2026-11-26T23:45:01.123+01:00')
  expect(localTime(at, -210)).toBe('2026-11-26T19:15:01.123-03:30')
  expect(localTime(at, 0)).toBe('2026-11-26T22:45:01.123+00:00')
})

test('lines have their time, notes are told apart, and what was not ended is there at the end', async () => {
  const { log, text } = await start()
  log.write(bytesOf('\x1b[1mone\x1b[0m\r\ntwo\r\nthr'))
  log.note('Connection lost')
  log.write(bytesOf('open'))
  await log.close()
  expect(await text()).toBe(
    `head\n${stamp} one\n${stamp} two\n${stamp} thr\n${stamp} [Slipway] Connection lost\n${stamp} open\n`,
  )
})

test.skipIf(process.platform === 'win32')(
  'only its owner reads it, also where a file was there',
  async () => {
    const { path, log } = await start()
    await log.close()
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    await writeFile(path, 'what was there before, and longer')
    await chmod(path, 0o644)
    const again = await openLineLog({
      ...{ path, header: [], redactLines: plain, now: () => at, onEnd: () => undefined },
    })
    await again.close()
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readFile(path, 'utf8')).toBe('\n')
  },
)

test('where no file can be written, it says so', async () => {
  const path = join(await temporaryFolder(), 'none', 'train.log')
  const opening = openLineLog({
    ...{ path, header: [], redactLines: plain, now: () => at, onEnd: () => undefined },
  })
  await expect(opening).rejects.toMatchObject({ problem: { kind: 'storage-failed', file: path } })
})

test('it ends when it is as large as it may be, after a whole line', async () => {
  const { log, ends, text } = await start({ mostBytes: 1_000 })
  for (let index = 0; index < 100; index += 1) log.write(bytesOf(`line ${index}\n`))
  await log.close()
  log.write(bytesOf('not any more\n'))
  const lines = (await text()).split('\n')
  expect(lines.at(-2)).toBe(`${stamp} [Slipway] The log ends here: it has 1 kB.`)
  expect(lines.at(-3)).toMatch(/ line \d+$/)
  expect((await text()).length).toBeLessThan(1_200)
  expect(ends).toEqual([{ kind: 'full', mostBytes: 1_000 }])
})

test('what a disk is too slow for is left out and counted, and nobody waits', async () => {
  const { log, text } = await start({ mostWaiting: 1_000 })
  for (let index = 0; index < 500; index += 1) log.write(bytesOf(`line ${index}\n`))
  await log.close()
  const lines = (await text()).split('\n').slice(1, -1)
  const kept = lines.filter((line) => / line \d+$/.test(line)).length
  const told = lines.flatMap(
    (line) => /… (\d+) lines left out: the disk was too slow\.$/.exec(line)?.[1] ?? [],
  )
  expect(kept + Number(told[0])).toBe(500)
  expect(told).toHaveLength(1)
})

test('a secret is never in the lines, however its bytes came, and lines stay as many as they were', () => {
  const redactor = new Redactor()
  const secret = 'Sup3r-secret-välue'
  redactor.remember(secret)
  redactor.remember('-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\n-----END KEY-----')
  const bytes = bytesOf(
    `a ${secret} b\r\nexport API_KEY=abc'\r\n\x1b[1mSup3r\x1b[0m-secret-välue\r\nMIIEvQIBADANBgkqhkiG9w0BAQ\r\nbearer\r\nhello\r\n`,
  )
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length)), (cuts) => {
      const log = new LogLines({ redactLines: (text) => redactor.redactLines(text), now: () => at })
      const ends = [0, ...cuts, bytes.length].toSorted((one, other) => one - other)
      const text = ends
        .slice(1)
        .map((end, index) => log.push(bytes.slice(ends[index], end)))
        .join('')
      expect(text.replaceAll(stamp, '-').split('\n')).toEqual([
        ...[
          '- a [redacted] b',
          '- export API_KEY=[redacted]',
          '- [redacted]',
          '- [redacted]',
          '- bearer',
          '- hello',
          '',
        ],
      ])
    }),
  )
})
