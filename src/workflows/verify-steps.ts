import type { PaidCall, VerifyInput } from '../activities/inputs.ts';
import type { Ref } from '../domain/ref.ts';
import type { Steps } from './loop.ts';
import type { Till } from './spend.ts';
import type { openProxies } from './proxies.ts';

/** What the steps that verify are made of. */
interface VerifyParts {
  readonly verify: Steps['verify'] | undefined;
  readonly till: Till;
  readonly calls: ReturnType<typeof openProxies>['calls'];
  /** A paid step's call, without its allowance. */
  readonly paidCall: (label: string) => Omit<PaidCall, 'allowance'>;
}

/** The verifier's two steps: on what a round has written, and on all that is still undecided when nothing is left to write. */
export function verifySteps({
  verify,
  till,
  calls,
  paidCall,
}: VerifyParts): Pick<Steps, 'verify' | 'verifyRound' | 'verifyRepository'> {
  async function verified(label: string, what: Omit<VerifyInput, keyof PaidCall>): Promise<Ref> {
    const { verification } = await till.paid(
      { label, calls: 2, verb: 'verifyRequirements' },
      (allowance) =>
        calls.verifyRequirements.executeWithOptions({ summary: label }, [
          { ...paidCall(label), ...what, allowance },
        ]),
    );
    return verification;
  }

  return {
    ...(verify && { verify }),

    async verifyRound({ stateRef, blueprint, view }, plan, results) {
      const round = view.round + 1;
      return verified(`round ${round}: verify`, {
        ...{ stateRef, round, subplan: plan.subplan, scope: 'round' },
        ...{ blueprint: plan.blueprint ?? blueprint, results: [...results] },
      });
    },

    async verifyRepository({ stateRef, blueprint, view }) {
      return verified(`verify after commit ${view.commits}`, {
        ...{ stateRef, blueprint, round: view.round + 1, results: [] },
        ...{ subplan: null, scope: 'gate' },
      });
    },
  };
}
