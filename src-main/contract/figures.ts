import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { figuresAlarms } from '../domain/figures/figures-alarm.ts'
import { figuresSummary } from '../domain/figures/figures-summary.ts'
import { figuresView } from '../domain/figures/figures-view.ts'
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
}
