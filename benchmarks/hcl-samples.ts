// SPDX-License-Identifier: Apache-2.0
import { bool, list, map, number, object, of, string, type Value } from "@tenon/cty";

/** Generates a typical configuration of about `size` bytes. */
export function configuration(bytes: number): string {
  const parts: string[] = [];
  let size = 0;
  for (let index = 0; size < bytes; index++) {
    const part = moduleText(index);
    parts.push(part);
    size += part.length;
  }
  return parts.join("\n");
}

function moduleText(index: number): string {
  return `# The servers of group ${index}, and what leads to them.
variable "group_${index}" {
  type = object({
    name  = string
    count = optional(number, ${index % 7})
    tags  = map(string)
  })
  description = "Group ${index}"
}

locals {
  names_${index} = [for i in range(var.group_${index}.count) : "\${var.group_${index}.name}-\${format("%02d", i)}"]
  rules_${index} = { for name, rule in var.rules : name => rule.ports if rule.enabled && length(rule.ports) > ${index % 3} }
}

resource "cloud_server" "group_${index}" {
  for_each = toset(local.names_${index})

  name          = each.key
  image         = data.cloud_image.latest["${index % 5}"].id
  size          = var.production ? "large" : "small"
  address       = cidrhost(cloud_network.main.cidr_blocks[0], ${index} + 10)
  monitoring    = !var.testing && var.group_${index}.count >= 2
  volume_ids    = cloud_volume.data[*].id
  security      = concat(cloud_group.base.*.id, [cloud_group.group_${index}.id])

  tags = merge(var.group_${index}.tags, {
    Name        = each.value
    Environment = terraform.workspace
    "cost-unit" = 1.5 * ${index}
  })

  user_data = <<-EOT
    #!/bin/sh
    hostname \${each.key}
    %{ for key, value in var.group_${index}.tags ~}
    export \${key}="\${value}"
    %{ endfor ~}
    exec serve --port \${8000 + ${index % 100}}
  EOT

  dynamic "disk" {
    for_each = var.disks
    content {
      size = disk.value.size // in GiB
      kind = lookup(disk.value, "kind", "ssd")
    }
  }

  lifecycle {
    ignore_changes = [user_data, tags["Name"]]
  }
}
`;
}

const server = object({ id: string, name: string, size: number, tags: map(string), ports: list(number) });

/** Variables that the expressions refer to. */
export const variables: Readonly<Record<string, Value>> = {
  name: of(string, "web"),
  region: of(string, "eu-central-1"),
  count: of(number, 3),
  production: of(bool, true),
  names: of(list(string), ["alpha", "beta", "gamma", "delta"]),
  ports: of(list(number), [80, 443, 8080]),
  tags: of(map(string), { Name: "web", Owner: "platform", Stage: "live" }),
  servers: of(
    list(server),
    Array.from({ length: 5 }, (_, index) => ({
      id: `i-${index}`,
      name: `web-${index}`,
      size: index * 10,
      tags: { Name: `web-${index}`, Stage: "live" },
      ports: [80, 8000 + index],
    })),
  ),
};

/** Expressions of every kind that is common in configurations. */
export const expressions: readonly string[] = [
  '"plain text"',
  "42",
  "name",
  "servers[0].tags.Name",
  "servers[count - 1].id",
  '"${name}-${region}"',
  '"arn:cloud:${region}:server/${servers[1].id}?size=${servers[1].size}"',
  "count + 1",
  "count * 2 + 10 / 4 - 1",
  "count > 2 && production",
  "!production || count == 0",
  'production ? "large" : "small"',
  "production ? count * 2 : 1",
  'name == "web" ? servers[0].size : servers[1].size',
  'tags["Owner"]',
  "tags.Stage",
  "servers[*].id",
  "servers[*].tags.Name",
  "servers.*.size",
  '[name, region, "x"]',
  "[for s in servers : s.name]",
  '[for i, n in names : "${i}:${n}" if n != "beta"]',
  "{ for s in servers : s.name => s.size }",
  "{ for s in servers : s.tags.Stage => s.id... }",
  '{ Name = name, Region = region, "cost-unit" = 1.5 }',
  "length(servers)",
  "upper(name)",
  'join(",", names)',
  'format("%s-%02d", name, count)',
  "merge(tags, { Name = upper(name) })",
  'concat(names, ["more"])',
  'contains(names, "beta")',
  'try(servers[0].missing, "fallback")',
  "can(servers[9])",
  "[for p in ports : p + 1]",
  '"%{ if production }live%{ else }test%{ endif }"',
  '"%{ for n in names }${n};%{ endfor }"',
  "max(ports...)",
  "element(names, count)",
  "keys(tags)",
];
