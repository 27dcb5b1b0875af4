import type { Surroundings } from '../../src-main/app/create-app.ts'

/** Of a program that has no place for updates. */
export const noUpdates: Surroundings['updates'] = {
  source: () => ({ kind: 'none', why: 'not-configured' }),
  ask: () => Promise.resolve(false),
}
