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
package org.hadoopmpsr.client.cli.tune;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.advise.DatasetSampler;
import org.hadoopmpsr.client.cli.common.Connection;
import org.hadoopmpsr.client.cli.run.SparkJob;
import org.hadoopmpsr.client.run.JobKind;
import org.hadoopmpsr.client.tune.TuneOptions;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.tune.DatasetFeatures;
import org.hadoopmpsr.core.tune.Feature;
import org.hadoopmpsr.core.tune.Features;
import org.hadoopmpsr.core.workload.QueryClass;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code mpsr tune}. */
@Command(
        name = "tune",
        description =
                "Prescribe settings of sinks and readers, from measured runs: a classification tree says which settings are best for"
                        + " which workloads, as rules, and what they lose against the best ones, also for workloads that it was not"
                        + " learnt from. Runs a Spark job, with the Spark of SPARK_HOME or PATH. Changes nothing. Needs no MPSR on the"
                        + " NameNode, unless --for names a dataset.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:the rules are printed", "1:the job failed"})
public final class TuneCommand implements Callable<Integer> {
    private static final double BYTES_PER_MS_OF_MB_PER_S = 1e3;
    private static final long SAMPLE_SEED = 1;

    @Mixin
    private Connection connection;

    @Option(
            names = TuneOptions.TRAIN,
            paramLabel = "DIR",
            required = true,
            description = "A local directory of measured runs, as 'bin/mpsr bench settings --json=DIR' writes them.")
    private String train = "";

    @Option(
            names = TuneOptions.DEPTH,
            paramLabel = "N",
            defaultValue = TuneOptions.USUAL_DEPTH,
            description = "The most questions of a rule. Default: ${DEFAULT-VALUE}.")
    private int depth;

    @Option(
            names = TuneOptions.FOLDS,
            paramLabel = "N",
            defaultValue = TuneOptions.USUAL_FOLDS,
            description =
                    "Validate with so many parts of the workloads, each by a tree that was learnt from the others. Default:"
                            + " ${DEFAULT-VALUE}.")
    private int folds;

    @Option(
            names = TuneOptions.SEED,
            paramLabel = "N",
            defaultValue = TuneOptions.USUAL_SEED,
            description = "The same number divides the workloads equally. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--for",
            paramLabel = "DATASET",
            description =
                    "Also print the keys to set for a dataset, by what the NameNode knows of the records and of the queries. The"
                            + " bandwidth is that of the disks in dfs.mpsr.cost.*.")
    private @Nullable String dataset;

    @Option(
            names = TuneOptions.FEATURE,
            paramLabel = "NAME=NUMBER",
            description =
                    "A feature of the workload to print the keys for: rows, bytes, columns, selectivity, width, numeric, reads and"
                            + " bandwidth. With --for in place of what is known; else all of them are needed.")
    private List<String> given = List.of();

    @Option(
            names = TuneOptions.HTML,
            paramLabel = "FILE",
            description = "Also write the report, with figures, into this local file.")
    private @Nullable String html;

    @Mixin
    private SparkJob job;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        Map<String, Double> features = new LinkedHashMap<>(given());
        if (dataset != null) {
            known(dataset).forEach(features::putIfAbsent);
        }
        return job.run(JobKind.TUNE, options(features).toArguments(), List.of(), connection.json());
    }

    private Map<String, Double> given() {
        Map<String, Double> features = new LinkedHashMap<>();
        try {
            given.forEach(text -> TuneOptions.addFeature(text, features));
            if (dataset == null && !features.isEmpty()) {
                Features.of(features);
            }
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        return features;
    }

    private TuneOptions options(Map<String, Double> features) {
        try {
            return new TuneOptions(train, depth, folds, seed, features, html);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private Map<String, Double> known(String path) throws IOException {
        try (MpsrClient client = connection.client()) {
            Dataset its = client.getDataset(connection.path(path));
            List<QueryClass> classes = new ArrayList<>();
            client.workload(its.path()).datasets().forEach(of -> classes.addAll(of.classes()));
            Map<String, Double> features =
                    new LinkedHashMap<>(DatasetFeatures.of(DatasetSampler.sample(client, its, SAMPLE_SEED), classes));
            features.put(
                    Feature.BANDWIDTH.key(),
                    MpsrConfig.read(connection.conf()::get).costs().read().diskBytesPerMs() / BYTES_PER_MS_OF_MB_PER_S);
            return features;
        }
    }
}
