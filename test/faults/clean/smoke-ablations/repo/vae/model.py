import torch
from torch import nn
from torch.distributions import Normal, kl_divergence
from torch.nn import functional as F

from vae.settings import VAESettings


class VAE(nn.Module):
    def __init__(self, settings: VAESettings, inputs: int = 64):
        super().__init__()
        self.free_bits = settings.free_bits
        self.encoder = nn.Sequential(nn.Linear(inputs, settings.hidden), nn.Tanh(), nn.Linear(settings.hidden, 2 * settings.latent))
        self.decoder = nn.Sequential(nn.Linear(settings.latent, settings.hidden), nn.Tanh(), nn.Linear(settings.hidden, inputs))
        self.register_buffer("zero", torch.zeros(settings.latent))
        self.prior_scale: torch.Tensor
        self.register_buffer("prior_scale", torch.ones(settings.latent))

    @property
    def prior(self):
        return Normal(self.zero, self.prior_scale)

    def posterior(self, inputs):
        mean, log_scale = self.encoder(inputs).chunk(2, dim=-1)
        return Normal(mean, log_scale.exp())

    def forward(self, inputs, kl_weight):
        """The negative bound of equation 2, and its terms, each averaged over the batch."""
        posterior = self.posterior(inputs)
        logits = self.decoder(posterior.rsample())
        reconstruction = F.binary_cross_entropy_with_logits(logits, inputs, reduction="none").sum(dim=-1).mean()
        kl = kl_divergence(posterior, self.prior).mean(dim=0)
        penalty = torch.clamp(kl, min=self.free_bits).sum()
        return reconstruction + kl_weight * penalty, {"reconstruction": reconstruction, "kl": kl}
