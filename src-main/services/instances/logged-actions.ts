import type { ActionKind } from '../../domain/instances/instance.ts'
import { ProblemError } from '../../domain/base/problem.ts'
import type { InstanceActions } from './actions.ts'
import type { ActivityLog } from './activity.ts'
import type { InstanceWatch } from './watch.ts'

/** The same actions, with each one and what came of it in the log of its instance. */
export function logActions(
  actions: InstanceActions,
  {
    activity,
    watch,
    by,
  }: {
    readonly activity: Pick<ActivityLog, 'note'>
    readonly watch: Pick<InstanceWatch, 'find'>
    /** Who asks through these. */
    readonly by: 'user' | 'caretaker'
  },
): InstanceActions {
  const recorded =
    (action: ActionKind, act: InstanceActions['stop']) =>
    async (id: number): Promise<void> => {
      await activity.note(id, { kind: 'asked', action, by })
      try {
        await act(id)
      } catch (error) {
        if (error instanceof ProblemError)
          await activity.note(id, { kind: 'refused', action, problem: error.problem })
        throw error
      }
      const failure = watch.find(id)?.pending?.failure ?? null
      if (failure !== null) await activity.note(id, { kind: 'unclear', action, problem: failure })
    }
  return {
    stop: recorded('stop', actions.stop),
    destroy: recorded('destroy', actions.destroy),
  }
}
