/** The name of the claim on a data folder that its one supervisor holds; the claim's `details.socket` says where it listens. */
export const SUPERVISOR_CLAIM = 'supervisor';
