import assert from 'node:assert/strict';
import type { ModelRequest } from '../../src/models/model.ts';
import { aProduct, type Product } from '../fakes/product.ts';
import { tinyPaper } from '../fakes/tiny-pdf.ts';
import { planModel, promptOf } from './driven-run.ts';

describe('a run of a PDF', function () {
  this.timeout(120_000);
  let product: Product;
  let asked: ModelRequest[];

  beforeEach(async () => {
    asked = [];
    product = await aProduct(
      planModel((request) => {
        asked.push(request);
        return undefined;
      }),
    );
    await product.startWorker();
  });
  afterEach(() => product.end());

  async function figuresRequest(seesFigures: boolean): Promise<ModelRequest> {
    const record = await product.createRun({ paper: tinyPaper(), seesFigures });
    const result = await (await product.start(record)).result();
    assert.equal(result.outcome, 'complete');
    const found = asked.find(({ label }) => label.startsWith('analyse/figures/'));
    assert.ok(found);
    return found;
  }

  it('shows the figure to the vision model, and to no other call', async () => {
    const request = await figuresRequest(true);
    const images = request.messages.flatMap((each) =>
      each.role === 'user' ? (each.images ?? []) : [],
    );
    assert.equal(images.length, 1);
    const [image] = images;
    assert.ok(image && request.loadImage);
    const bytes = Buffer.from(await request.loadImage(image));
    assert.equal(bytes.subarray(1, 4).toString('latin1'), 'PNG');
    assert.match(promptOf(request), /image 1 is fig-1/);
    const others = asked.filter(({ label }) => !label.startsWith('analyse/figures/'));
    assert.ok(others.every(({ messages }) => messages.every((each) => !('images' in each))));
  });

  it('asks in words alone where no vision model is named', async () => {
    const request = await figuresRequest(false);
    assert.ok(request.messages.every((each) => !('images' in each)));
    assert.match(promptOf(request), /\[fig-1\] Figure 1: The score over the number of steps\./);
    assert.match(promptOf(request), /You see captions .* not the images/);
  });
});
