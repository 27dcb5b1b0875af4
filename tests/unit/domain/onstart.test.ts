import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withAuthorizedKey } from '../../../src-main/domain/onstart.ts'

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8mZw2qXkZb3y+/0w== slipway@desk'

/** Runs a script as a machine would, with an empty home folder. */
function run(shell: string, script: string) {
  const home = mkdtempSync(join(tmpdir(), 'slipway-onstart-'))
  try {
    const output = execFileSync(shell, ['-c', script], { env: { HOME: home, PATH: process.env['PATH'] } })
    const file = join(home, '.ssh', 'authorized_keys')
    return { output: output.toString(), keys: readFileSync(file, 'utf8'), mode: statSync(file).mode & 0o777 }
  } finally {
    rmSync(home, { recursive: true })
  }
}

describe.each(['bash', 'dash'])('under %s', (shell) => {
  test('the key is allowed to log in, and the script runs after it', () => {
    const result = run(shell, withAuthorizedKey('#!/bin/sh\necho "hello $((1 + 1))"', key))
    expect(result).toEqual({ output: 'hello 2\n', keys: `${key}\n`, mode: 0o600 })
  })

  test('an empty script becomes just the key', () => {
    expect(run(shell, withAuthorizedKey('', key))).toEqual({ output: '', keys: `${key}\n`, mode: 0o600 })
  })
})

test('a shebang stays the first line', () => {
  expect(withAuthorizedKey('#!/usr/bin/env python3\nprint(1)', key).split('\n')[0]).toBe(
    '#!/usr/bin/env python3',
  )
})

test('the rest of the script is untouched', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (script) => {
      fc.pre(!script.startsWith('#!'))
      expect(withAuthorizedKey(script, key).endsWith(script)).toBe(true)
    }),
  )
})

test.each([`ssh-ed25519 AAAA it's`, 'ssh-ed25519 AAAA\nrm -rf /', 'ssh-ed25519 AAAA $(id)'])(
  'a key that could become part of the script is refused: %j',
  (hostile) => {
    expect(() => withAuthorizedKey('', hostile)).toThrow(RangeError)
  },
)
