/** The task queue of a data folder's own server, and of one elsewhere where no other is named. */
export const DEFAULT_TASK_QUEUE = 'deeprepro';
