import { z } from 'zod'
import { filters } from '../domain/filter.ts'
import { template } from '../domain/template.ts'
import { procedure } from './base.ts'

export const templates = {
  /** Those that fit all filters; there is no search by words (service API 4.5). */
  search: procedure.input(z.object({ filters })).output(z.array(template).readonly()),
}
