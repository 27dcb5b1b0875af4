import fc from 'fast-check'
import { expect, test } from 'vitest'
import { longestOwnerName } from '#services/files/limits.ts'
import { entriesFrom } from '#services/files/remote-entry.ts'

const attrs = { mode: 0o104755, size: 2 ** 60, mtime: 4_294_967_295, uid: 1000, gid: 100 }
const listed = (longname: unknown, more: object = attrs) =>
  entriesFrom([{ filename: 'run', longname, attrs: more }]).entries[0]

test('an owner has the names of the server’s line, or else numbers', () => {
  expect(listed('-rwsr-xr-x    1 kim      users        220 Jan  6  2022 run')).toEqual({
    name: 'run',
    kind: 'file',
    size: 2 ** 60,
    modifiedAt: 4_294_967_295_000,
    mode: 0o755,
    special: 0o4000,
    owner: 'kim:users',
  })
  expect(listed('drwxr-xr-x+ 12 root root 4096 Jan 6 2022 run')?.owner).toBe('root')
  expect(listed('')?.owner).toBe('1000:100')
  expect(listed(undefined)?.owner).toBe('1000:100')
  expect(listed('run')?.owner).toBe('1000:100')
  expect(listed('', { mode: 0o644 })).not.toHaveProperty('owner')
})

test.each([
  '-rw-r--r-- 1 ki\u0007m users 220 Jan 6 2022 run',
  '-rw-r--r-- 1 \u202emik users 220 Jan 6 2022 run',
  `-rw-r--r-- 1 ${'k'.repeat(longestOwnerName + 1)} users 220`,
  `-rw-r--r-- 1 kim ${'u'.repeat(10_000)}`,
])(
  'hostile: an owner that would hide or reorder text, or is longer than any, is shown by numbers: %j',
  (line) => {
    expect(listed(line)?.owner).toBe('1000:100')
  },
)

test('hostile: whatever a server’s line says, an owner is short and in one visible piece', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.string({ maxLength: 40 }), (line, user) => {
      for (const text of [line, `-rw-r--r-- 1 ${user} ${line}`]) {
        const owner = listed(text)?.owner ?? ''
        expect(owner.length).toBeLessThanOrEqual(2 * longestOwnerName + 1)
        expect(owner).toMatch(/^[^\p{C}\p{Z}]+$/u)
      }
    }),
  )
})
