import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { figuresAlarms } from '../domain/figures/figures-alarm.ts'
import { figuresSummary } from '../domain/figures/figures-summary.ts'
import { figuresView } from '../domain/figures/figures-view.ts'
import { machineCheckView } from '../domain/figures/machine-check.ts'
import { speedTestView } from '../domain/figures/speed-test.ts'
import { point } from '../domain/figures/points.ts'
import { accountProcedure, nothing, procedure } from './base.ts'

const one = z.object({ instanceId: z.number().int() })

/** What instances do: GPUs, processors, memory, disks, and network. */
export const figures = {
  /** Figures come only while this is watched, and were asked for. */
  watch: procedure.input(one).output(eventIterator(figuresView)),
  /** Those of the last day that Slipway has, then those that come. */
  watchPoints: procedure.input(one).output(eventIterator(z.array(point).readonly())),
  /** Connects to the instance for them. */
  show: accountProcedure.input(one).output(nothing),
  hide: procedure.input(one).output(nothing),
  /**
   * Of each instance whose figures come, for the list: those that are connected to while this is watched, and all that run
   * if the preference `showsAllFigures` is set.
   */
  watchAll: procedure.output(eventIterator(z.array(figuresSummary).readonly())),
  /** What figures warn of. */
  watchAlarms: procedure.output(eventIterator(figuresAlarms)),
  /** Whether an instance has what was offered. */
  check: {
    watch: procedure.input(one).output(eventIterator(machineCheckView)),
    /** Connects to the instance for it. */
    run: accountProcedure.input(one).output(nothing),
    /** What differs now isn't told anymore. */
    accept: accountProcedure.input(one).output(nothing),
  },
  /** How fast its disk is, and its connection with this computer. */
  speed: {
    watch: procedure.input(one).output(eventIterator(speedTestView)),
    /** Connects to the instance for it; its traffic may be charged. */
    start: accountProcedure.input(one).output(nothing),
    /** Resolves when it has ended. */
    cancel: procedure.input(one).output(nothing),
  },
}
