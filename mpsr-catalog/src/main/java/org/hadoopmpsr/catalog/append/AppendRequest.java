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
package org.hadoopmpsr.catalog.append;

import java.util.Map;
import org.apache.iceberg.DataOperations;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.UpdateRequirement;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.hadoopmpsr.catalog.append.AppendException.Kind;
import org.jspecify.annotations.Nullable;

/** What a client asks for when it commits. */
public final class AppendRequest {
    /** Writers that look in summaries of snapshots for what they have written, after a failure. Datasets have no such summaries. */
    private static final Map<String, String> LOOKING_BACK =
            Map.of("flink.job-id", "Flink", "spark.sql.streaming.queryId", "a streaming query of Spark");

    private AppendRequest() {}

    /**
     * The snapshot that a request appends. An append needs no other records to be there: in which state the client has seen the dataset does
     * not matter.
     *
     * @param now the table as it is
     * @throws AppendException if the request asks for anything else
     */
    public static Snapshot snapshot(UpdateTableRequest request, TableMetadata now) throws AppendException {
        for (UpdateRequirement requirement : request.requirements()) {
            check(requirement, now);
        }
        Snapshot added = null;
        MetadataUpdate.@Nullable SetSnapshotRef ref = null;
        for (MetadataUpdate update : request.updates()) {
            if (update instanceof MetadataUpdate.AddSnapshot add && added == null) {
                added = add.snapshot();
            } else if (update instanceof MetadataUpdate.SetSnapshotRef set && ref == null) {
                ref = set;
            } else {
                throw AppendException.unsupported("The update "
                        + update.getClass().getSimpleName() + " is not done, or not with others in one commit");
            }
        }
        if (added == null || ref == null) {
            throw AppendException.unsupported(
                    "The commit adds no snapshot to the branch '" + SnapshotRef.MAIN_BRANCH + "'");
        }
        if (!ref.name().equals(SnapshotRef.MAIN_BRANCH) || ref.snapshotId() != added.snapshotId()) {
            throw AppendException.unsupported("The commit sets '" + ref.name() + "' to the snapshot " + ref.snapshotId()
                    + ", where it may set '" + SnapshotRef.MAIN_BRANCH + "' to the snapshot that it adds, "
                    + added.snapshotId());
        }
        check(added);
        return added;
    }

    private static void check(UpdateRequirement requirement, TableMetadata now) throws AppendException {
        if (requirement instanceof UpdateRequirement.AssertRefSnapshotID) {
            return;
        }
        try {
            requirement.validate(now);
        } catch (CommitFailedException e) {
            throw new AppendException(Kind.AGAIN, e.getMessage(), e);
        } catch (RuntimeException e) { // of one that no table can meet
            throw new AppendException(
                    Kind.WRONG,
                    "The requirement " + requirement.getClass().getSimpleName() + " cannot be checked: "
                            + e.getMessage(),
                    e);
        }
    }

    private static void check(Snapshot added) throws AppendException {
        if (!DataOperations.APPEND.equals(added.operation())) {
            throw AppendException.unsupported("The operation '" + added.operation() + "' is no append");
        }
        Map<String, String> summary = added.summary() == null ? Map.of() : added.summary();
        for (Map.Entry<String, String> writer : LOOKING_BACK.entrySet()) {
            if (summary.containsKey(writer.getKey())) {
                throw AppendException.unsupported(
                        "After a failure " + writer.getValue()
                                + " looks in the summaries of snapshots for what it has written, which a dataset does not keep, and would append it again");
            }
        }
    }
}
