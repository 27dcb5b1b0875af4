import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { JobLog } from '#services/jobs/job-log.ts'
import { saveLog } from '#services/jobs/save-log.ts'
import { searchLines } from '#services/storage/line-log/search-lines.ts'
import { Redactor } from '#domain/base/redact.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

async function logOf(
  text: string,
  bytes = 1_000,
): Promise<{ readonly log: JobLog; readonly folder: string }> {
  const folder = await temporaryFolder()
  const log = await JobLog.open(join(folder, 'job'), bytes)
  const all = Buffer.from(text)
  for (let at = 0; at < all.length; at += 100) await log.append(all.subarray(at, at + 100))
  return { log, folder }
}

test('what was written is read again from any byte, also by the next run, in whole characters', async () => {
  const text = 'größer 🚢 als nötig\n'.repeat(20)
  const { folder } = await logOf(text)
  const log = await JobLog.open(join(folder, 'job'), 1_000)
  const { length: size } = Buffer.from(text)
  expect(log.size).toBe(size)
  await fc.assert(
    fc.asyncProperty(fc.nat(size), fc.integer({ min: 8, max: 60 }), async (from, bytes) => {
      const part = await log.read(from, bytes)
      expect(part.text).not.toContain('\uFFFD')
      expect(part.from - from).toBeLessThan(4)
      expect(part.text).toBe(Buffer.from(text).subarray(part.from, part.to).toString())
    }),
  )
})

test('of a log beyond its bound the newest bytes are kept, and those before are gone', async () => {
  const text = Array.from({ length: 1_000 }, (_, index) => `line ${index}\n`).join('')
  const { log, folder } = await logOf(text, 1_000)
  const { size, keptFrom } = log.changed.value
  expect(size).toBe(text.length)
  expect(size - keptFrom).toBeGreaterThan(1_000)
  expect(size - keptFrom).toBeLessThanOrEqual(2_200)
  expect((await readdir(join(folder, 'job'))).length).toBe(2)
  expect(await log.read(0, 50)).toMatchObject({ from: keptFrom, text: text.slice(keptFrom, keptFrom + 50) })
  expect((await log.tail(20)).text).toBe(text.slice(-20))
  const again = await JobLog.open(join(folder, 'job'), 1_000)
  expect(again.changed.value).toEqual({ size, keptFrom })
})

test('what is removed while it is read, because more has come, is read to its end', async () => {
  const text = Array.from({ length: 30_000 }, (_, index) => `${index}\n`).join('')
  const { log } = await logOf(text, 100_000)
  const read: Buffer[] = []
  for await (const { bytes } of log.chunks(0)) {
    // As much as makes it drop its oldest file.
    if (read.length === 0)
      for (let times = 0; times < 20; times += 1) await log.append(Buffer.alloc(10_000, 'x'))
    read.push(bytes)
  }
  expect(log.changed.value.keptFrom).toBeGreaterThan(100_000)
  expect(Buffer.concat(read).toString()).toBe(text)
})

test('lines are found whatever their case, with the byte that they begin at, and the search goes on from there', async () => {
  const text = Array.from({ length: 500 }, (_, index) => `Epoch ${index} – loss\n`).join('')
  const { log } = await logOf(text)
  const { hits, next } = await searchLines(log, 'ePOCH', log.changed.value.keptFrom)
  expect(hits.length).toBeLessThanOrEqual(200)
  const [first] = hits
  expect(Buffer.from(text).subarray(first?.at).toString()).toMatch(new RegExp(`^${first?.line}\n`))
  expect(next).toBeNull()
  const { log: whole } = await logOf(text, 1_000_000)
  const one = await searchLines(whole, 'epoch', 0)
  expect(one.hits).toHaveLength(200)
  const two = await searchLines(whole, 'epoch', one.next ?? 0)
  expect(two.hits[0]?.line).toBe('Epoch 200 – loss')
})

test('a line without an end takes no more than its bound, and what is found in it is shown with its surroundings', async () => {
  const { log } = await logOf(`${'x'.repeat(150_000)}needle${'y'.repeat(20_000)}`, 1_000_000)
  const { hits } = await searchLines(log, 'NEEDLE', 0)
  expect(hits).toHaveLength(1)
  expect(hits[0]?.line.length).toBeLessThanOrEqual(1_000)
  expect(hits[0]?.line).toContain('needle')
})

test('a log is saved as it is, without secrets, also where they lie across pieces', async () => {
  const redactor = new Redactor()
  redactor.remember('hunter2-secret')
  const key = `-----BEGIN OPENSSH PRIVATE KEY-----\n${'c2VjcmV0\n'.repeat(500)}-----END OPENSSH PRIVATE KEY-----`
  const filler = 'nothing to hide here\n'.repeat(3_030)
  const text = `${filler}${key}\npassword=hunter2-secret\n${filler}no end`
  const { log, folder } = await logOf(text, 1_000_000)
  const path = join(folder, 'saved.log')
  await saveLog(log, path, (one) => redactor.redact(one))
  const saved = await readFile(path, 'utf8')
  expect(saved).not.toContain('c2VjcmV0')
  expect(saved).not.toContain('hunter2')
  expect(saved.startsWith(filler)).toBe(true)
  expect(saved.endsWith(`${filler}no end`)).toBe(true)
})
