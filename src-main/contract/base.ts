import { oc } from '@orpc/contract'
import { z } from 'zod'
import { problem } from '../domain/base/problem.ts'

/** Every call may fail with a {@link problem}, typed as this one error. Its text is made in the window. */
export const procedure = oc.errors({ PROBLEM: { data: problem } })

/** For calls without a result. */
export const nothing = z.void()
