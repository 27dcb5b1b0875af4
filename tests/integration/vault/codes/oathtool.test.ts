import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { MachineTimes } from '#domain/vault/clock-offset.ts'
import { Latest } from '#domain/base/latest.ts'
import type { OtpParameters } from '#domain/vault/otp.ts'
import { openJsonFile } from '#services/storage/json-file.ts'
import { machineTimes } from '../../../../src-main/app/system-clock.ts'
import { LiveCodes } from '#services/vault/codes/live-codes.ts'
import { SecretVisibility } from '#services/vault/secret-visibility.ts'
import { rememberedClock, CorrectedClock } from '#services/vault/codes/corrected-clock.ts'
import { memoryLog } from '../../../support/memory-log.ts'
import { keyringForTest, runVault, userDataForTest } from '../keychain/run-of-slipway.ts'

const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const hourMs = 3_600_000

/** What Debian's own generator says for a moment. */
async function askOathtool({ algorithm, digits, period }: OtpParameters, timeMs: number): Promise<string> {
  const seconds = Math.floor(timeMs / 1000)
  const { stdout } = await promisify(execFile)('oathtool', [
    `--totp=${algorithm}`,
    '--base32',
    `--digits=${digits}`,
    `--time-step-size=${period}s`,
    `--now=@${seconds}`,
    secret,
  ])
  return stdout.trim()
}

/** One run of the program, on a machine whose wall clock is off by `wallOffMs`. */
async function run(env: Readonly<Record<string, string>>, userData: string, wallOffMs: number) {
  const times = (): MachineTimes => {
    const machine = machineTimes()
    return { ...machine, wallMs: machine.wallMs + wallOffMs }
  }
  const file = await openJsonFile({
    path: join(userData, 'clock.json'),
    schema: rememberedClock,
    fallback: null,
    clock: { now: () => times().wallMs, sleep: () => Promise.resolve() },
    onNotice: ({ detail }) => {
      throw new Error(detail)
    },
  })
  const correctedClock = new CorrectedClock({ times, file, log: memoryLog() })
  return { correctedClock, times, ...(await runVault(env, userData, { correctedClock })) }
}

type Run = Awaited<ReturnType<typeof run>>

/** As a reply of the service tells it, whose clock is right. */
function hearFromService({ correctedClock, times }: Run): void {
  const { wallMs } = times()
  correctedClock.note({ dateMs: Math.floor(Date.now() / 1000) * 1000, sentMs: wallMs, receivedMs: wallMs })
}

/**
 * The code that is shown, and what it should be; asked for again when the step ended in between. A reply tells the
 * time to a second, so a clock that is known by replies may be in the next step a moment early or late.
 */
async function compare({ vault, correctedClock }: Run, id: string, parameters: OtpParameters) {
  const clock = { now: Date.now, sleep: () => new Promise<never>(() => undefined) }
  const screen = new SecretVisibility({
    clock,
    protect: null,
    idleMs: () => 0,
    isLocked: () => false,
    hideAfterMs: () => hourMs,
  })
  const entries = new Latest([{ id }])
  const maker = (entry: string) => vault.totp.maker(entry)
  for (;;) {
    await untilWithinStep(parameters.period * 1000)
    const before = await askOathtool(parameters, Date.now() - 1_000)
    const shown = new LiveCodes({
      entries,
      maker,
      keychain: vault.state,
      screen,
      clock,
      correctedClock,
    }).watch()
    const { value } = await shown.next()
    const after = await askOathtool(parameters, Date.now() + 1_000)
    await shown.return()
    const code = value?.kind === 'shown' ? value.codes[0] : undefined
    if (before === after) return { shown: code?.kind === 'code' ? code.code : code, true: before }
  }
}

/** Waits while the true time is within a second of a step's end or beginning. */
async function untilWithinStep(periodMs: number): Promise<void> {
  const marginMs = 1_000
  const leftMs = periodMs - (Date.now() % periodMs)
  if (leftMs <= marginMs) await sleep(leftMs + marginMs)
  else if (leftMs > periodMs - marginMs) await sleep(marginMs - (periodMs - leftMs))
}

describe.each([
  { algorithm: 'sha1', digits: 6, period: 30 },
  { algorithm: 'sha256', digits: 8, period: 60 },
  { algorithm: 'sha512', digits: 7, period: 30 },
] as const)('codes of $algorithm with $digits digits', (parameters) => {
  test('are oathtool’s for the true time, offline, after a restart, with the clock 2 h off', async () => {
    const { env } = await keyringForTest()
    const userData = await userDataForTest()
    const first = await run(env, userData, 0)
    hearFromService(first)
    const { id } = await first.vault.totp.add(
      { issuer: 'Example', label: 'ada', secret, parameters, uri: null },
      'keychain',
    )
    const here = await compare(first, id, parameters)
    expect(here.shown).toBe(here.true)
    await expect.poll(() => readFile(join(userData, 'clock.json'), 'utf8')).toContain('bounds')
    await first.keytar.stop()

    for (const wallOffMs of [2 * hourMs, -2 * hourMs, 0]) {
      const next = await run(env, userData, wallOffMs)
      const { shown, true: wanted } = await compare(next, id, parameters)
      expect(shown).toBe(wanted)
      await next.keytar.stop()
    }
  })

  test('are oathtool’s on a machine whose clock was 2 h off from the start', async () => {
    const { env } = await keyringForTest()
    const userData = await userDataForTest()
    const first = await run(env, userData, 2 * hourMs)
    const { id } = await first.vault.totp.add(
      { issuer: 'Example', label: 'ada', secret, parameters, uri: null },
      'keychain',
    )
    const unchecked = await compare(first, id, parameters)
    expect(unchecked.shown).not.toBe(unchecked.true)
    hearFromService(first)
    const checked = await compare(first, id, parameters)
    expect(checked.shown).toBe(checked.true)
    await expect.poll(() => readFile(join(userData, 'clock.json'), 'utf8')).toContain('bounds')
    await first.keytar.stop()
    const { shown, true: wanted } = await compare(await run(env, userData, 2 * hourMs), id, parameters)
    expect(shown).toBe(wanted)
  })
})
