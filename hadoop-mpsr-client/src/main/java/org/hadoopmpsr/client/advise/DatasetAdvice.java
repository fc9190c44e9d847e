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
package org.hadoopmpsr.client.advise;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.core.advise.Advice;
import org.hadoopmpsr.core.advise.Advisor;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.workload.QueryClass;
import org.jspecify.annotations.Nullable;

/** Advice for datasets. */
public final class DatasetAdvice {
    private static final long BLOCK_BYTES = 128L << 20;

    private DatasetAdvice() {}

    /**
     * Advises groups for a dataset. Opens none of its files.
     *
     * @param classes what is asked
     * @param conf with the costs of reads
     * @param options those of the Spark job count for nothing
     * @throws IOException also if the NameNode tells nothing of the files, with the reason
     * @throws IllegalArgumentException if there is nothing to advise from, with the reason
     */
    public static Advice of(
            MpsrClient client, Dataset dataset, List<QueryClass> classes, Configuration conf, AdviseOptions options)
            throws IOException {
        List<ReplicaGroup> today = today(dataset.groups());
        Advice advice = Advisor.advise(
                DatasetSampler.sample(client, dataset, options.seed()),
                classes,
                today,
                options.groups() == 0 ? today.size() : options.groups(),
                MpsrConfig.read(conf::get).costs(),
                conf.getLongBytes("dfs.blocksize", BLOCK_BYTES),
                options.seed());
        return options.budget() == 0 ? advice : advice.withCopies(options.budget());
    }

    /** The present groups that can answer every query, the default group first: a lossy group is read for few. */
    public static List<ReplicaGroup> today(ReplicaGroups groups) {
        List<ReplicaGroup> today = new ArrayList<>(groups.exact());
        ReplicaGroup first = groups.defaultGroup();
        today.remove(first);
        today.add(0, first);
        return today;
    }

    /**
     * What is asked of a dataset.
     *
     * @param from a local file with a workload; null for what the NameNode has counted
     */
    public static List<QueryClass> classes(MpsrClient client, Dataset dataset, @Nullable String from)
            throws IOException {
        if (from != null) {
            return WorkloadFile.classes(from, dataset.path());
        }
        List<QueryClass> classes = new ArrayList<>();
        client.workload(dataset.path()).datasets().forEach(d -> classes.addAll(d.classes()));
        return classes;
    }
}
