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
package org.hadoopmpsr.client.wire;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.hadoopmpsr.client.proto.MpsrProtos.ColumnAccuracyProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ColumnNamesProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanRequestProtoOrBuilder;
import org.hadoopmpsr.core.history.AsOf;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.hadoopmpsr.core.stats.FileTotals;
import org.hadoopmpsr.core.transform.Accuracy;

/** Translates a read request to a message and back. */
public final class ReadRequestWire {

    private ReadRequestWire() {}

    /** A message without a path. Equal requests give equal messages. */
    public static PlanRequestProto.Builder request(ReadRequest readRequest) {
        PlanRequestProto.Builder request =
                PlanRequestProto.newBuilder().setFilter(FilterWire.filter(readRequest.filter()));
        if (readRequest.columns() != null) {
            request.setRead(ColumnNamesProto.newBuilder().addAllName(new TreeSet<>(readRequest.columns())));
        }
        if (readRequest.parallelism() > 0) {
            request.setParallelism(readRequest.parallelism());
        }
        request.addAllReaderHost(new TreeSet<>(readRequest.hosts()));
        if (readRequest.listed() != null) {
            request.setListedFiles(readRequest.listed().files());
            request.setListedBytes(readRequest.listed().bytes());
            request.setListedFingerprint(readRequest.listed().fingerprint());
        }
        if (readRequest.compared()) {
            request.setCompared(true);
        }
        if (readRequest.parts()) {
            request.setReadsParts(true);
        }
        if (readRequest.untracked()) {
            request.setReadsUntracked(true);
        }
        if (readRequest.asOf() != null) {
            request.setAsOf(text(readRequest.asOf()));
        }
        request.addAllTransform(new TreeSet<>(readRequest.transforms()));
        new TreeMap<>(readRequest.accuracies())
                .forEach((column, accuracy) -> request.addAccuracy(
                        ColumnAccuracyProto.newBuilder().setColumn(column).setAccuracy(accuracy.text())));
        return request;
    }

    /**
     * Reads a request. An older client counts as reading all columns of one group, in as many tasks as the server assumes,
     * and in the present state, also if it states only the size of a listing.
     *
     * @throws IllegalArgumentException if it names no state of a dataset
     */
    public static ReadRequest readRequest(PlanRequestProtoOrBuilder request) {
        return new ReadRequest(
                FilterWire.filter(request.getFilter()),
                request.hasRead() ? Set.copyOf(request.getRead().getNameList()) : null,
                Math.max(0, request.getParallelism()),
                Set.copyOf(request.getReaderHostList()),
                request.hasListedFingerprint()
                        ? new FileTotals(
                                request.getListedFiles(), request.getListedBytes(), request.getListedFingerprint())
                        : null,
                request.getCompared(),
                request.getReadsParts(),
                request.getReadsUntracked(),
                request.hasAsOf() ? AsOf.parse(request.getAsOf()) : null,
                Set.copyOf(request.getTransformList()),
                accuracies(request));
    }

    private static Map<String, Accuracy> accuracies(PlanRequestProtoOrBuilder request) {
        Map<String, Accuracy> accuracies = new HashMap<>();
        for (ColumnAccuracyProto column : request.getAccuracyList()) {
            try {
                accuracies.put(column.getColumn(), Accuracy.parse(column.getAccuracy()));
            } catch (IllegalArgumentException e) {
                accuracies.put(column.getColumn(), Accuracy.EXACT); // of a later client
            }
        }
        return accuracies;
    }

    /** A state of a dataset, as {@link AsOf#parse} reads it. */
    public static String text(AsOf state) {
        if (state instanceof AsOf.Sequence sequence) {
            return Long.toString(sequence.number());
        }
        return state instanceof AsOf.Tag tag ? tag.name() : state.toString();
    }
}
