import assert from 'node:assert/strict';
import {
  canReserve,
  capFor,
  formatAmount,
  reserve,
  settle,
  type Purse,
} from '../../src/domain/budget.ts';
import { randomFrom } from '../fakes/random.ts';

const PURSE: Purse = { unit: 'usd', cap: 1, spent: 0, maybePaid: 0, reserved: 0 };

describe('a purse', () => {
  it('lets nothing be reserved past its cap', () => {
    assert.ok(canReserve(PURSE, 1));
    assert.ok(!canReserve(PURSE, 1.01));
    assert.ok(!canReserve(reserve(PURSE, 0.6), 0.5));
  });

  it('forgives what sums of floating-point numbers wander', () => {
    const spent = Array.from({ length: 9 }, () => 0.1).reduce((total, each) => total + each, 0);
    assert.ok(canReserve({ ...PURSE, spent }, 0.1));
  });

  it('has no end without a cap', () => {
    assert.ok(canReserve({ ...PURSE, cap: null }, 1e9));
  });

  it('books what was spent and may have been, and gives the rest back', () => {
    const settled = settle(reserve(PURSE, 0.5), 0.5, { spent: 0.1, maybePaid: 0.2 });
    assert.equal(settled.reserved, 0);
    assert.ok(Math.abs(settled.spent - 0.3) < 1e-12);
    assert.equal(settled.maybePaid, 0.2);
  });

  it('holds no reservation at all once everything is settled, whatever the sums wander', () => {
    const amounts = [0.1, 0.2, 0.3, 0.7];
    const full = amounts.reduce(reserve, PURSE);
    const nothing = { spent: 0, maybePaid: 0 };
    const empty = amounts.reduce((purse, amount) => settle(purse, amount, nothing), full);
    assert.equal(empty.reserved, 0);
  });

  it('names a cap that is enough', () => {
    const purse = { ...PURSE, spent: 0.9 };
    assert.ok(canReserve({ ...purse, cap: capFor(purse, 0.4) }, 0.4));
  });

  it('never passes its cap, whatever is reserved and settled in whatever order', () => {
    for (let seed = 1; seed <= 50; seed += 1) {
      const random = randomFrom(seed);
      let purse = PURSE;
      const open: number[] = [];
      for (let step = 0; step < 200; step += 1) {
        const amount = random.below(300) / 1000;
        if (random.chance(0.6) && canReserve(purse, amount)) {
          purse = reserve(purse, amount);
          open.push(amount);
        } else if (open.length > 0) {
          const [reserved = 0] = open.splice(random.below(open.length), 1);
          purse = settle(purse, reserved, {
            spent: reserved * (random.below(101) / 100),
            maybePaid: 0,
          });
        }
        assert.ok(purse.spent + purse.reserved <= 1 + 1e-6, `seed ${seed}, step ${step}`);
      }
    }
  });

  it('is read in dollars and cents, small sums with two digits, tokens with separators', () => {
    assert.equal(formatAmount(1.274, 'usd'), '1.27 USD');
    assert.equal(formatAmount(0.00423, 'usd'), '0.0042 USD');
    assert.equal(formatAmount(0, 'usd'), '0.00 USD');
    assert.equal(formatAmount(1_250_000, 'tokens'), '1,250,000 tokens');
  });
});
