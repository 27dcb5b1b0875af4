import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { onstartLimit, onstartToSend, packScript, withAuthorizedKey } from '#domain/renting/onstart.ts'

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8mZw2qXkZb3y+/0w== slipway@desk'

// Instances run Linux, whose shells and programs these are.
const isLinux = process.platform === 'linux'

/** Runs a script as a machine would, in a home folder that has these keys, or is empty. */
function run(shell: string, script: string, before?: string) {
  const home = mkdtempSync(join(tmpdir(), 'slipway-onstart-'))
  try {
    if (before !== undefined) {
      mkdirSync(join(home, '.ssh'))
      writeFileSync(join(home, '.ssh', 'authorized_keys'), before)
    }
    const output = execFileSync(shell, ['-c', script], { env: { HOME: home, PATH: process.env['PATH'] } })
    const file = join(home, '.ssh', 'authorized_keys')
    return { output: output.toString(), keys: readFileSync(file, 'utf8'), mode: statSync(file).mode & 0o777 }
  } finally {
    rmSync(home, { recursive: true })
  }
}

describe.runIf(isLinux).each(['bash', 'dash'])('under %s', (shell) => {
  test('the key is allowed to log in, and the script runs after it', () => {
    const result = run(shell, withAuthorizedKey('#!/bin/sh\necho "hello $((1 + 1))"', key))
    expect(result).toEqual({ output: 'hello 2\n', keys: `\n${key}\n`, mode: 0o600 })
  })

  test('an empty script becomes just the key', () => {
    expect(run(shell, withAuthorizedKey('', key))).toEqual({ output: '', keys: `\n${key}\n`, mode: 0o600 })
  })

  test.each([
    ['with its comment', `${key}\n`],
    [
      'under another name, among others',
      `ssh-rsa AAAAB3 a\n${key.replace('slipway@desk', 'me')}\nssh-rsa AAAAB4 b`,
    ],
  ])('a key that is there already, %s, is not added again', (_how, before) => {
    expect(run(shell, withAuthorizedKey('', key), before)).toEqual({ output: '', keys: before, mode: 0o600 })
  })

  test('a last key without an end of its line stays a key of its own', () => {
    const { keys } = run(shell, withAuthorizedKey('', key), 'ssh-rsa AAAAB3 a')
    expect(keys).toBe(`ssh-rsa AAAAB3 a\n${key}\n`)
  })

  test('a script that ends at the first failure goes on after it', () => {
    expect(run(shell, withAuthorizedKey('#!/bin/sh\nset -e\necho on', key)).output).toBe('on\n')
    expect(run(shell, `set -e\n${withAuthorizedKey('echo on', key)}`).output).toBe('on\n')
  })
})

test('a shebang of a shell stays the first line', () => {
  expect(withAuthorizedKey('#!/bin/bash -e\ntrue', key).split('\n')[0]).toBe('#!/bin/bash -e')
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

const compress = (text: string): string => gzipSync(text, { level: 9 }).toString('base64')

/** Runs what would be sent in an empty home, and reads back the file that it was unpacked into. */
function unpack(shell: string, script: string) {
  const home = mkdtempSync(join(tmpdir(), 'slipway-onstart-'))
  try {
    const options = { env: { HOME: home, TMPDIR: home, PATH: process.env['PATH'] }, cwd: home } as const
    const { status, stdout, stderr } = spawnSync(shell, ['-c', packScript(script, compress)], {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [file] = readdirSync(home).filter((name) => name.startsWith('tmp.'))
    const bytes = file === undefined ? null : readFileSync(join(home, file))
    return { status, stdout: stdout.toString(), stderr: stderr.toString(), bytes }
  } finally {
    rmSync(home, { recursive: true })
  }
}

describe.runIf(isLinux).each(['bash', 'dash'])('a packed script under %s', (shell) => {
  test('runs in the same shell, with its exit status', () => {
    const script = `#!/bin/sh\nset -e\nA="two words"\nf() { echo "$A $#"; }\nf 1 2\nexit 3\n`
    expect(unpack(shell, script)).toMatchObject({ status: 3, stdout: 'two words 2\n', stderr: '' })
  })

  test('runs as a program of its own when its shebang names none of the shells', () => {
    const node = `#!/usr/bin/env -S node --input-type=commonjs\nprocess.stdout.write(String(6 * 7))\n`
    expect(unpack(shell, node)).toMatchObject({ status: 0, stdout: '42' })
  })

  test('is restored byte for byte', () => {
    // Nothing of it runs: what counts is the file.
    const anything = fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed())
    fc.assert(
      fc.property(anything, (rest) => {
        const script = `exit 0\n${rest}`
        const { status, bytes } = unpack(shell, script)
        expect(bytes?.equals(Buffer.from(script))).toBe(true)
        expect(status).toBe(0)
      }),
      { numRuns: 30 },
    )
  })

  test('says so where it cannot be unpacked, and fails', () => {
    const broken = (): string => Buffer.from('no gzip').toString('base64')
    const result = spawnSync(shell, ['-c', packScript('echo never', broken)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    expect(result.status).not.toBe(0)
    expect(result.stderr.toString()).toContain('could not be unpacked')
    expect(result.stdout.toString()).toBe('')
  })
})

describe('what is sent', () => {
  test.each([
    [0, false],
    [4048, false],
    [4049, true],
    [20_000, true],
  ])('%i characters: packed %s', (length, isPacked) => {
    const sent = onstartToSend('x'.repeat(length), null, compress)
    expect(sent.isPacked).toBe(isPacked)
    expect(sent.characters).toBeLessThanOrEqual(onstartLimit)
    expect(sent.characters).toBe(sent.text.length)
  })

  test('characters are counted, not the units that they are stored in', () => {
    expect(onstartToSend('😀'.repeat(4048), null, compress)).toMatchObject({
      characters: 4048,
      isPacked: false,
    })
  })

  test('the key stays readable in front of what is packed', () => {
    const sent = onstartToSend(`#!/bin/bash\n${'echo again\n'.repeat(2000)}`, key, compress)
    const [shebang, step, line, ...rest] = sent.text.split('\n')
    expect([shebang, rest]).toEqual(['#!/bin/bash', []])
    expect(step).toContain(key)
    expect(line).toContain('base64 -d')
  })

  test.runIf(isLinux).each(['bash', 'dash'])(
    'a program in another language runs behind the step for the key: %s',
    (shell) => {
      const node = `#!/usr/bin/env -S node --input-type=commonjs\nprocess.stdout.write(String(6 * 7))\n`
      expect(run(shell, onstartToSend(node, key, compress).text)).toMatchObject({
        output: '42',
        keys: `\n${key}\n`,
      })
      expect(onstartToSend(node, null, compress).text).toBe(node)
    },
  )

  test('what cannot be made short enough keeps its length, to be refused', () => {
    const random = randomBytes(20_000).toString('base64')
    expect(onstartToSend(random, null, compress).characters).toBeGreaterThan(onstartLimit)
  })
})
