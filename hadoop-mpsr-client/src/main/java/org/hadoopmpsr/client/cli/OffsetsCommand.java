/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hadoopmpsr.client.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.cli.common.Connection;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.commit.OffsetReset;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mpsr dataset offsets}. */
@Command(
        name = "offsets",
        description = "Show how far each topic-partition is committed, and the offsets that commits passed over without"
                + " records. With --reset, move committed offsets; only for superusers. A writer goes on from where the"
                + " dataset ends: offsets that are moved up are left out, and offsets that are moved down are written"
                + " again, although the dataset may hold their records.",
        mixinStandardHelpOptions = true)
final class OffsetsCommand implements Callable<Integer> {
    @Mixin
    private Connection connection;

    @Parameters(paramLabel = "PATH", description = "The dataset's directory.")
    private String path;

    @Option(
            names = "--reset",
            paramLabel = "TOPIC[:PARTITION]=OFFSET",
            description =
                    "Move the committed offset of a topic-partition, or of all partitions of a topic that have one."
                            + " Stop the topic's writers before. May be given several times.")
    private List<String> resets = List.of();

    @Option(names = "--force", description = "Move offsets also while commits are open. These commits are then fenced.")
    private boolean force;

    @Spec
    private CommandSpec spec;

    /** A value of {@code --reset}; a missing partition stands for all that are committed. */
    private record Order(String topic, OptionalInt partition, long offset) {}

    @Override
    public Integer call() throws Exception {
        List<Order> orders = resets.stream().map(this::order).toList();
        Output out = Output.of(spec);
        try (MpsrClient client = connection.client()) {
            Dataset dataset = client.getDataset(connection.path(path));
            if (!orders.isEmpty()) {
                List<OffsetReset> all = new ArrayList<>();
                for (Order order : orders) {
                    all.addAll(resets(order, dataset.offsets()));
                }
                client.resetOffsets(dataset.path(), dataset.id(), all, force);
                dataset = client.getDataset(dataset.path());
                if (!connection.json()) {
                    all.forEach(reset -> out.line(OffsetsView.text(reset)));
                    return 0;
                }
            }
            if (connection.json()) {
                out.json(OffsetsView.json(dataset));
            } else {
                out.table(OffsetsView.table(dataset));
                if (dataset.untold() != null && dataset.offsets().isEmpty()) {
                    out.line("Offsets are told to writers of the dataset, and to those who may read all of it: "
                            + dataset.untold());
                }
            }
        }
        return 0;
    }

    /** Reads a value. The topic may hold colons and equals signs; the last ones count. */
    private Order order(String text) {
        int equals = text.lastIndexOf('=');
        int colon = text.lastIndexOf(':', equals);
        try {
            long offset = Long.parseLong(text.substring(equals + 1));
            Order order = colon < 0
                    ? new Order(text.substring(0, Math.max(0, equals)), OptionalInt.empty(), offset)
                    : new Order(
                            text.substring(0, colon),
                            OptionalInt.of(Integer.parseInt(text.substring(colon + 1, equals))),
                            offset);
            // which checks the values
            new OffsetReset(order.topic(), order.partition().orElse(0), OffsetReset.NONE, offset);
            return order;
        } catch (IllegalArgumentException e) {
            String why = e instanceof NumberFormatException ? "" : ": " + e.getMessage();
            throw new ParameterException(
                    spec.commandLine(),
                    "--reset takes TOPIC:PARTITION=OFFSET or TOPIC=OFFSET, not '" + text + "'" + why);
        }
    }

    private List<OffsetReset> resets(Order order, List<CommittedOffset> committed) throws IOException {
        List<OffsetReset> all = committed.stream()
                .filter(o -> o.topic().equals(order.topic()))
                .filter(o -> order.partition().isEmpty()
                        || o.partition() == order.partition().getAsInt())
                .map(o -> new OffsetReset(o.topic(), o.partition(), o.end(), order.offset()))
                .toList();
        if (!all.isEmpty()) {
            return all;
        }
        if (order.partition().isEmpty()) {
            throw new IOException("no partition of topic '" + order.topic() + "' is committed to " + path
                    + "; name the partition to set an offset where it begins: " + order.topic() + ":PARTITION="
                    + order.offset());
        }
        return List.of(new OffsetReset(order.topic(), order.partition().getAsInt(), OffsetReset.NONE, order.offset()));
    }
}
