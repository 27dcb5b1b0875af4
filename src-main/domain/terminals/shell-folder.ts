import { z } from 'zod'

/**
 * A folder that a machine says its shell is in. The machine may say anything, and it becomes one quoted word of
 * a command there: so without what some shell reads even within single quotes (fish: backslash and quote; csh:
 * exclamation mark), and without what cannot be seen (controls, bidirectional marks, line separators).
 */
export const shellFolder = z
  .string()
  .max(1024)
  .regex(/^\/[^'\\!\p{C}\p{Zl}\p{Zp}]*$/u)
