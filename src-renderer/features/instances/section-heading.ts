import type { ComputedRef, InjectionKey } from 'vue'

/** The heading that the sections of an instance get: one below its title, wherever that stands. */
export const sectionHeading: InjectionKey<ComputedRef<'h2' | 'h3'>> = Symbol('heading of a section')
