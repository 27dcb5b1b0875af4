import { describe, expect, test } from 'vitest'
import { bootProgress } from '../../../../src-renderer/features/instances/boot-progress.ts'

const now = 1_795_232_670_000
const at = (secondsAgo: number): number => now - secondsAgo * 1000

describe('how far a boot is', () => {
  test('stage and its time come from what was seen, the whole from the start', () => {
    expect(
      bootProgress(
        {
          status: 'loading',
          record: { id: 1, start_date: at(150) / 1000 },
          history: [
            { status: null, at: at(140) },
            { status: 'loading', at: at(130) },
          ],
        },
        now,
      ),
    ).toEqual({ stage: 'loading', stageMs: 130_000, elapsedMs: 150_000, share: 0.5, overdue: false })
  })

  test('without a start date, since it was first seen', () => {
    expect(
      bootProgress({ status: null, record: { id: 1 }, history: [{ status: null, at: at(30) }] }, now),
    ).toMatchObject({ stage: 'provisioning', elapsedMs: 30_000, share: 0.1 })
  })

  test('longer than typical is said, and the bar does not run over', () => {
    expect(
      bootProgress(
        { status: 'loading', record: { id: 1 }, history: [{ status: 'loading', at: at(900) }] },
        now,
      ),
    ).toMatchObject({ share: 1, overdue: true })
  })

  test.each(['running', 'exited', 'frozen'])('%s is not booting', (status) => {
    expect(bootProgress({ status, record: { id: 1 }, history: [{ status, at: now }] }, now)).toBeNull()
  })
})
