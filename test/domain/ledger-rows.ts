import { RequirementKind, type FoundRequirement } from '../../src/domain/requirement.ts';

/** A row as one of three readings found it; rows of one `demand` say the same thing. */
export interface LedgerRow {
  readonly lens: number;
  readonly demand: string;
  readonly found: FoundRequirement;
}

/**
 * Three readings of one paper on a denoiser with two branches, compared with simpler variants on four point sets:
 * lens | demand it is | kind | place | values | wording | quote.
 */
const ROWS = `
0 | forward    | equation        | eq-1    | | The forward process adds Gaussian noise with variance beta_t to sqrt(1-beta_t) times the point of the step before. | q(x_t | x_{t-1}) is normal with mean sqrt(1 - beta_t) x_{t-1}
0 | schedule   | hyper-parameter | sec-5   | schedule=linear | The noise schedule is linear between its end points. | Diffusion process: 100 timesteps with linear noise schedule
0 | steps-T    | hyper-parameter | sec-5   | T=100 | The diffusion process has T = 100 timesteps in training and in sampling. | Diffusion process: 100 timesteps with linear noise schedule
0 | two-branch | architecture    | sec-4-1 | branches=2 | The denoiser has a global and a local branch, and both run in every forward pass. | a dual-scale architecture that processes the input at two different scales
0 | global-in  | architecture    | eq-3    | input_dim=2 | The global branch receives the unscaled point and the timestep. | the global branch works on the original input
0 | local-in   | architecture    | eq-4    | input_dim=4 | The local branch receives the upscaled point and the same timestep. | the local branch works on the upscaled input
0 | layers     | architecture    | sec-5   | hidden_layers=3 | Each of the two branch MLPs has 3 hidden layers. | Multi-Layer Perceptrons with 3 hidden layers of 256 units each
0 | units      | architecture    | sec-5   | hidden_units=256 | Each hidden layer of the branch MLPs has 256 units. | Multi-Layer Perceptrons with 3 hidden layers of 256 units each
0 | embed-in   | architecture    | sec-4-1 | | Both branches embed their input coordinates sinusoidally. | a multi-layer perceptron with sinusoidal embeddings for both input and time
0 | embed-time | architecture    | sec-4-1 | | Both branches embed the timestep sinusoidally. | a multi-layer perceptron with sinusoidal embeddings for both input and time
0 | upscale    | equation        | eq-5    | | The upscaling is one affine map with no activation behind it. | the upscaled input is W x_t + b
0 | upscale-W  | architecture    | sec-4-1 | W=4x2 | The weight of the upscaling maps R^2 to R^4 and has the shape 4x2. | where W in R^{4 x 2} and b in R^4 are learnable parameters
0 | softmax    | equation        | eq-6    | | The two branch weights are the softmax of the outputs of the weight network. | w(t) = Softmax(MLP_w(t))
0 | weight-net | architecture    | sec-5   | linear_layers=2 | The weight network has two linear layers. | Weight network: 2-layer MLP with LeakyReLU activation
0 | leaky      | architecture    | sec-4-2 | LeakyReLU | The activation of the weight network is LeakyReLU, not ReLU. | The use of LeakyReLU activation and multiple linear layers
0 | sum        | equation        | eq-8    | | The prediction is the weighted sum of the outputs of both branches. | a weighted combination of the global and local branch outputs
0 | loss       | loss            | eq-9    | | The loss is the mean squared error between true and predicted noise. | the squared norm of the noise minus the predicted noise
0 | uniform-t  | equation        | sec-4-4 | | Each training step draws the timestep of each point uniformly from all timesteps. | Sample timesteps t uniformly from 1 to T
0 | lr         | hyper-parameter | sec-5   | lr=3e-4 | The initial learning rate is 3e-4. | Optimizer: Adam with learning rate $3 \\times 10^{-4}$
0 | adam       | hyper-parameter | sec-5   | Adam | The optimiser is Adam (no weight decay is stated). | Optimizer: Adam with learning rate $3 \\times 10^{-4}$
0 | batch      | hyper-parameter | sec-5   | batch_size=256 | The training batch size is 256. | Batch size: 256
0 | cosine     | hyper-parameter | sec-5   | cosine annealing | The learning rate follows cosine annealing from its initial value. | Learning rate schedule: Cosine annealing
0 | ema-decay  | hyper-parameter | sec-5   | decay=0.995 | The decay of the EMA is 0.995. | Exponential Moving Average (EMA) of parameters: Decay rate 0.995, updated every 10 steps
0 | ema-every  | hyper-parameter | sec-5   | every=10 | The EMA is updated every 10 steps, not at every step. | Exponential Moving Average (EMA) of parameters: Decay rate 0.995, updated every 10 steps
0 | steps      | hyper-parameter | sec-5   | steps=10000 | Training stops after 10,000 optimiser steps. | Steps: 10,000
0 | fixed      | architecture    | sec-5   | w_1=0.5; w_2=0.5 | The Fixed Weighting variant replaces the weight network by constants of 0.5. | Fixed Weighting: Dual-scale processing with fixed 0.5 weighting
0 | single     | architecture    | sec-5   | | The Baseline is one single-scale MLP without local branch and upscaling. | Baseline: Single-scale diffusion model
1 | points     | dataset         | sec-5   | n=100000; circle; dino; line; moons | Each of the four datasets consists of 100,000 points. | These datasets, each consisting of 100,000 points
1 | circle     | dataset         | sec-5   | | A dataset "circle", a simple closed curve, is generated. | Circle: A simple closed curve
1 | dino       | dataset         | sec-5   | | A dataset "dino", a complex shape with smooth and sharp features, is obtained. | Dino: A complex shape with both smooth and sharp features
1 | line       | dataset         | sec-5   | | A dataset "line", a linear structure, is generated. | Line: A linear structure
1 | moons      | dataset         | sec-5   | | A dataset "moons" of two interleaving crescents is generated. | Moons: Two interleaving crescent shapes
1 | run-0      | baseline        | sec-5   | run=0 | Run 0, the Baseline, is a single-scale diffusion model of its own. | Baseline: Single-scale diffusion model
1 | run-1      | baseline        | sec-5   | run=1 | Run 1, Fixed Weighting, is a selectable variant with dual-scale processing and constant weights. | Fixed Weighting: Dual-scale processing with fixed 0.5 weighting
1 | run-2      | baseline        | sec-5   | run=2 | Run 2, Adaptive Weighting, is the full model with learnable, timestep-conditioned weights. | Adaptive Weighting: Full model with learnable, timestep-conditioned weighting
1 | run-5      | baseline        | sec-5   | run=5 | Run 5, Improved Weight Network, has a deeper weight network than Run 2. | Improved Weight Network: Enhanced adaptive behavior with deeper weight network
1 | kl         | metric          | sec-5   | | The KL divergence is estimated from samples by the k-nearest-neighbour method. | Kullback-Leibler (KL) divergence: Estimated using k-nearest neighbor method
1 | kl-k       | hyper-parameter | sec-5   | k=5 (inferred) | The number of neighbours of the estimator is a configurable value. |
1 | kl-cells   | measurement     | tab-1   | | The KL divergence is measured once after training for each run and dataset. | Run, Dataset, KL Divergence, Training Time (s), Inference Time (s)
1 | time-train | measurement     | sec-5   | unit=s; steps=10000 | The training time of the 10,000 steps is measured in seconds. | Computational efficiency: Training time for 10,000 steps and inference time for 10,000 samples
1 | time-infer | measurement     | sec-5   | unit=s; samples=10000 | The inference time for 10,000 samples is measured in seconds. | Computational efficiency: Training time for 10,000 steps and inference time for 10,000 samples
1 | mean-time  | measurement     | sec-6-1 | run 0=36.97; run 5=75.19 | The mean training time over the datasets is computed for Run 0 and Run 5. | from an average of 36.97 seconds for the baseline to 75.19 seconds for the final model
1 | table      | measurement     | tab-1   | rows=20 | A script writes the results table with one row for each run and dataset. | Performance metrics for different experimental runs across datasets
1 | weights    | measurement     | fig-2   | timesteps=100 | The branch weights are recorded at each timestep for each dataset. | Evolution of global and local feature weights across timesteps for different datasets
1 | x-axis     | measurement     | fig-2   | | The x-axis of the weight figure runs from the end to the beginning of diffusion. | The x-axis represents timesteps (from end to beginning of the diffusion process)
1 | y-axis     | measurement     | fig-2   | | The y-axis of the weight figure shows weight values. | while the y-axis shows weight values
1 | lr         | hyper-parameter | sec-6-6 | lr=3e-4 | Every run uses Adam with the learning rate 3e-4. | Adam optimizer with learning rate $3 \\times 10^{-4}$
1 | batch      | hyper-parameter | sec-6-6 | batch_size=256 | Every run uses the batch size 256 by default. | batch size 256, and 100 diffusion timesteps
1 | steps-T    | hyper-parameter | sec-6-6 | T=100 | Every run uses 100 diffusion timesteps. | batch size 256, and 100 diffusion timesteps
1 | steps      | hyper-parameter | sec-6-6 | steps=10000 | Every run and dataset trains for 10,000 steps by default. | All experiments used consistent hyperparameters across runs: 10,000 training steps
1 | seed       | setting         | sec-5   | | A fixed random seed is set for data, initialisation, training and sampling of every run. | a single NVIDIA V100 GPU with a fixed random seed for reproducibility
1 | gpu        | setting         | sec-5   | | The device is recorded next to the times. | a single NVIDIA V100 GPU with a fixed random seed for reproducibility
1 | kl-circle  | result          | sec-6-1 | run 0=0.354; run 5=0.345 | On circle Run 5 lowers the KL of Run 0 by 2.5%. | Circle: 2.5% reduction (from 0.354 to 0.345)
1 | kl-dino    | result          | sec-6-1 | run 0=0.989; run 5=0.862 | On dino Run 5 lowers the KL of Run 0 by 12.8%. | Dino: 12.8% reduction (from 0.989 to 0.862)
1 | kl-line    | result          | sec-6-1 | run 0=0.161; run 5=0.153 | On line Run 5 lowers the KL of Run 0 by 5.0%. | Line: 5.0% reduction (from 0.161 to 0.153)
1 | time-x2    | result          | sec-6-1 | | The mean training time of Run 5 is about twice that of Run 0. | Training times approximately doubled
2 | kl-dino    | result          | sec-1   | baseline=0.989; final=0.862 | The KL on dino falls from 0.989 to 0.862 in the final model. | the KL divergence for the dino dataset improved from 0.989 in the baseline to 0.862 in our final model
2 | time-x2    | result          | sec-7   | | Training times of the final model are about twice those of the baseline. | training times approximately doubling
2 | points     | dataset         | sec-5   | n=100000; datasets=circle; dino; line; moons | Each dataset consists of 100,000 points. | These datasets, each consisting of 100,000 points
2 | circle     | dataset         | sec-5   | | The circle dataset is a simple closed curve. | Circle: A simple closed curve
2 | dino       | dataset         | sec-5   | | The dino dataset is a shape with smooth and sharp features. | Dino: A complex shape with both smooth and sharp features
2 | layers     | hyper-parameter | sec-5   | hidden_layers=3 | The branch MLPs have 3 hidden layers. | Multi-Layer Perceptrons with 3 hidden layers of 256 units each
2 | units      | hyper-parameter | sec-5   | hidden_size=256 | Each hidden layer of the MLPs has 256 units. | Multi-Layer Perceptrons with 3 hidden layers of 256 units each
2 | weight-net | architecture    | sec-5   | layers=2 | The weight network is an MLP with two linear layers. | Weight network: 2-layer MLP with LeakyReLU activation
2 | leaky      | architecture    | sec-5   | activation=LeakyReLU | The weight network uses LeakyReLU as activation. | Weight network: 2-layer MLP with LeakyReLU activation
2 | steps      | hyper-parameter | sec-5   | steps=10000 | Every run trains for 10,000 steps. | Steps: 10,000
2 | adam       | hyper-parameter | sec-5   | optimizer=Adam | The optimizer is Adam. | Optimizer: Adam with learning rate $3 \\times 10^{-4}$
2 | lr         | hyper-parameter | sec-5   | lr=0.0003 | The initial learning rate is 0.0003. | Optimizer: Adam with learning rate $3 \\times 10^{-4}$
2 | batch      | hyper-parameter | sec-5   | batch_size=256 | The batch size of training is 256. | Batch size: 256
2 | cosine     | hyper-parameter | sec-5   | schedule=cosine annealing | The learning rate follows a cosine annealing schedule. | Learning rate schedule: Cosine annealing
2 | steps-T    | hyper-parameter | sec-5   | T=100 | The diffusion process has 100 timesteps. | Diffusion process: 100 timesteps with linear noise schedule
2 | schedule   | hyper-parameter | sec-5   | schedule=linear | The noise schedule is linear in t. | Diffusion process: 100 timesteps with linear noise schedule
2 | ema-decay  | hyper-parameter | sec-5   | ema_decay=0.995 | The decay rate of the EMA is 0.995. | Exponential Moving Average (EMA) of parameters: Decay rate 0.995, updated every 10 steps
2 | ema-every  | hyper-parameter | sec-5   | ema_update_every=10 | The EMA is updated every 10 training steps. | Exponential Moving Average (EMA) of parameters: Decay rate 0.995, updated every 10 steps
2 | kl         | metric          | sec-5   | | The KL divergence is estimated with a k-nearest-neighbour method. | Kullback-Leibler (KL) divergence: Estimated using k-nearest neighbor method
2 | time-train | measurement     | tab-1   | unit=s; steps=10000 | Training time is measured in seconds over the 10,000 steps. | Run, Dataset, KL Divergence, Training Time (s), Inference Time (s)
2 | run-0      | setting         | sec-5   | run=0 | Baseline (Run 0) is a single-scale diffusion model. | Baseline: Single-scale diffusion model
2 | run-2      | setting         | sec-5   | run=2 | Adaptive Weighting (Run 2) is the full model with learnable weights conditioned on the timestep. | Adaptive Weighting: Full model with learnable, timestep-conditioned weighting
2 | run-5      | setting         | sec-5   | run=5 | Improved Weight Network (Run 5) has a weight network that is deeper than that of Run 2. | Improved Weight Network: Enhanced adaptive behavior with deeper weight network
2 | seed       | setting         | sec-5   | | A fixed random seed is set for every run. | a single NVIDIA V100 GPU with a fixed random seed for reproducibility
2 | solid      | setting         | fig-2   | global=solid | The global weight is a solid line. | Each line represents the weight for global (solid) and local (dashed) features
2 | dashed     | setting         | fig-2   | local=dashed | The local weight is a dashed line. | Each line represents the weight for global (solid) and local (dashed) features
2 | kl-run-0   | result          | tab-1   | circle=0.354; dino=0.989; line=0.161; moons=0.090 | The KL of the Baseline is compared with the paper's on all datasets. | Performance metrics for different experimental runs across datasets
2 | kl-run-1   | result          | tab-1   | circle=0.369; dino=0.820; line=0.172; moons=0.100 | The KL of Fixed Weighting is compared with the paper's on all datasets. | Performance metrics for different experimental runs across datasets
`;

/** The rows, in the order of the readings. */
export const LEDGER_ROWS: readonly LedgerRow[] = ROWS.trim().split('\n').map(rowOf);

function rowOf(line: string): LedgerRow {
  const [lens = '', demand = '', kind, place = '', values = '', wording = '', ...quote] = line
    .split('|')
    .map((cell) => cell.trim());
  return {
    lens: Number(lens),
    demand,
    found: {
      kind: RequirementKind.parse(kind),
      demand: wording,
      quote: quote.join('|'),
      place,
      otherPlaces: [],
      values: values.split(';').flatMap((value) => (value.trim() === '' ? [] : [value.trim()])),
      scope: 'main',
    },
  };
}
