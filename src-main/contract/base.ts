import { oc } from '@orpc/contract'
import { z } from 'zod'
import { problem } from '../domain/base/problem.ts'

/** Every call may fail with a {@link problem}, typed as this one error. Its text is made in the window. */
export const procedure = oc.$meta<{ readonly ofAccount?: boolean }>({}).errors({ PROBLEM: { data: problem } })

/** For calls that change something of the page's account: without one, they fail with `no-account`. */
export const accountProcedure = procedure.meta({ ofAccount: true })

/** For calls without a result. */
export const nothing = z.void()
