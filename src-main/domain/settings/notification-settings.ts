import { z } from 'zod'

/** What the desktop is told about; each kind can be switched off. */
export const notificationKinds = [
  'running',
  'trouble',
  'guard',
  'credit',
  'unattended',
  'gpuIdle',
  'diskFull',
  'gpuMemoryFull',
  'gpuHot',
  'gpuGone',
  'machine',
  'offers',
  'done',
] as const
export type NotificationKind = (typeof notificationKinds)[number]

/** Which kinds are wanted, and when the account is worth a warning. */
export const notificationSettings = z.object({
  running: z.boolean(),
  trouble: z.boolean(),
  guard: z.boolean(),
  credit: z.boolean(),
  unattended: z.boolean(),
  // What figures warn of; these are neither told nor shown when they are off.
  gpuIdle: z.boolean().default(true),
  diskFull: z.boolean().default(true),
  gpuMemoryFull: z.boolean().default(true),
  gpuHot: z.boolean().default(true),
  gpuGone: z.boolean().default(true),
  /** An instance isn't what was offered. Newer than the others. */
  machine: z.boolean().default(true),
  /** Older Slipways watched none. */
  offers: z.boolean().default(true),
  /** What was to tell when it's done, and edited files that aren't uploaded. Older Slipways had no such switch. */
  done: z.boolean().default(true),
  /** Warn when the credit lasts for fewer hours. */
  creditHours: z.number().positive().max(8760),
  /** Warn when nobody has been connected to a running machine for so long. */
  unattendedHours: z.number().positive().max(8760),
  /** Warn when no GPU of a running instance has been in use for so long. */
  idleGpuMinutes: z.number().positive().max(1440).default(20),
})
export type NotificationSettings = z.infer<typeof notificationSettings>

export const defaultNotificationSettings: NotificationSettings = {
  running: true,
  trouble: true,
  guard: true,
  credit: true,
  unattended: true,
  gpuIdle: true,
  diskFull: true,
  gpuMemoryFull: true,
  gpuHot: true,
  gpuGone: true,
  machine: true,
  offers: true,
  done: true,
  creditHours: 12,
  unattendedHours: 8,
  idleGpuMinutes: 20,
}
