import { endTemporal } from './fakes/temporal.ts';

export const mochaHooks = {
  async afterAll(): Promise<void> {
    await endTemporal();
  },
};
