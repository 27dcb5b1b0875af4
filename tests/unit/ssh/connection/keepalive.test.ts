import { describe, expect, onTestFinished, test } from 'vitest'
import type { SshReason } from '#domain/ssh/ssh-detail.ts'
import { startKeepalive, type ConnectionHealth } from '#services/ssh/connection/keepalive.ts'
import { FakeClock, settle } from '../../../support/fake-clock.ts'

/** A link whose answers take so long as the test says; `null` for none. */
function watched(answerMs: number | null) {
  const clock = new FakeClock()
  const end = new AbortController()
  onTestFinished(() => end.abort())
  const link = {
    answerMs,
    asked: 0,
    bytes: 0,
    broken: null as SshReason | null,
    health: null as ConnectionHealth | null,
  }
  const watch = startKeepalive(
    {
      ask: () => {
        link.asked += 1
        return link.answerMs === null ? new Promise(() => undefined) : clock.sleep(link.answerMs)
      },
      bytesRead: () => link.bytes,
      breakOff: (detail) => {
        link.broken = detail
      },
    },
    clock,
    (health) => {
      link.health = health
    },
    end.signal,
  )
  return { clock, link, watch }
}

describe('a link', () => {
  test('is asked at once and then every ten seconds, and the way is measured', async () => {
    const { clock, link } = watched(35)
    await clock.advance(40)
    expect(link.health).toEqual({ latencyMs: 35, silentSince: null })
    link.answerMs = 50
    await clock.advance(10_050)
    expect(link.health).toEqual({ latencyMs: 50, silentSince: null })
    expect(link.asked).toBe(2)
  })

  test('that falls silent is told after four seconds, and broken off after twenty', async () => {
    const { clock, link } = watched(null)
    const since = clock.now()
    await clock.advance(4_000)
    expect(link.health).toEqual({ latencyMs: null, silentSince: since })
    await clock.advance(15_900)
    expect(link.broken).toBeNull()
    await clock.advance(100)
    expect(link.broken).toEqual({ code: 'silent', seconds: 20 })
  })

  test('that answers late is silent for a while, and lives', async () => {
    const { clock, link } = watched(9_000)
    await clock.advance(8_000)
    expect(link.health?.silentSince).not.toBeNull()
    await clock.advance(1_000)
    expect(link.health).toEqual({ latencyMs: 9_000, silentSince: null })
    expect(link.broken).toBeNull()
  })

  test('whose answer stands in line behind a flood is not taken for dead', async () => {
    const { clock, link } = watched(null)
    for (let passed = 0; passed < 120; passed += 1) {
      link.bytes += 1000
      await clock.advance(1_000)
    }
    expect(link.broken).toBeNull()
  })

  test('is asked as soon as the computer wakes, and given up sooner then', async () => {
    const { clock, link, watch } = watched(10)
    await clock.advance(1_000)
    link.answerMs = null
    watch.probe(true)
    await settle()
    expect(link.asked).toBe(2)
    await clock.advance(6_000)
    expect(link.broken).toEqual({ code: 'silent', seconds: 6 })
  })

  test('that owed an answer when the computer fell asleep is given up as soon after it wakes', async () => {
    const { clock, link, watch } = watched(null)
    const since = clock.now()
    await clock.advance(5_000)
    clock.sleepThrough(3_600_000)
    watch.probe(true)
    await clock.advance(5_900)
    expect(link.broken).toBeNull()
    expect(link.health).toEqual({ latencyMs: null, silentSince: since })
    await clock.advance(100)
    expect(link.broken).toEqual({ code: 'silent', seconds: 6 })
    expect(link.asked).toBe(1)
  })

  test('that survives a sleep while it owes an answer lives, and the sleep is not its way', async () => {
    const { clock, link, watch } = watched(7_000)
    await clock.advance(3_000)
    clock.sleepThrough(3_600_000)
    watch.probe(true)
    await clock.advance(5_000)
    expect(link.broken).toBeNull()
    expect(link.health).toEqual({ latencyMs: null, silentSince: null })
  })

  test('whose computer slept without a word is noticed by the clock', async () => {
    const { clock, link } = watched(10)
    await clock.advance(1_000)
    link.answerMs = null
    clock.sleepThrough(3_600_000)
    await clock.advance(10_000)
    await clock.advance(6_000)
    expect(link.broken).toEqual({ code: 'silent', seconds: 6 })
  })
})
