import { z } from 'zod';
import { Severity } from './finding.ts';

/** Where people are told that a change is ready for them. */
export const NotificationChannel = z.enum(['github', 'slack', 'email', 'webhook']);

/** The settings of a review loop under seed 002's names; a channel more than there, because Volley has one more. */
export const ReviewLoopSettings = z.object({
  enabled: z.boolean(),
  maxIterations: z.number().int(),
  selfReviewBeforePR: z.boolean(),
  autoAddressReviewComments: z.boolean(),
  severityThreshold: Severity,
  notifyOnReady: z.boolean(),
  notificationChannels: z.array(NotificationChannel),
});
export type ReviewLoopSettings = z.infer<typeof ReviewLoopSettings>;
