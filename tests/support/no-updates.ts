import type { AppDependencies } from '../../src-main/app/dependencies.ts'

/** Of a program that has no place for updates. */
export const noUpdates: AppDependencies['updates'] = {
  source: () => ({ kind: 'none', why: 'not-configured' }),
  ask: () => Promise.resolve(false),
}
