import { z } from 'zod'

/** What the desktop is told about; each kind can be switched off. */
export const notificationKinds = ['running', 'trouble', 'guard', 'credit', 'unattended', 'offers'] as const
export type NotificationKind = (typeof notificationKinds)[number]

/** Which kinds are wanted, and when the account is worth a warning. */
export const notificationSettings = z.object({
  running: z.boolean(),
  trouble: z.boolean(),
  guard: z.boolean(),
  credit: z.boolean(),
  unattended: z.boolean(),
  /** Older Slipways watched none. */
  offers: z.boolean().default(true),
  /** Warn when the credit lasts for fewer hours. */
  creditHours: z.number().positive().max(8760),
  /** Warn when nobody has been connected to a running machine for so long. */
  unattendedHours: z.number().positive().max(8760),
})
export type NotificationSettings = z.infer<typeof notificationSettings>

export const defaultNotificationSettings: NotificationSettings = {
  running: true,
  trouble: true,
  guard: true,
  credit: true,
  unattended: true,
  offers: true,
  creditHours: 12,
  unattendedHours: 8,
}
