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
package org.hadoopmpsr.namenode.dataset;

import org.hadoopmpsr.client.proto.MpsrProtos.DatasetProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GroupProto;

/** Records of datasets that are in no namespace. */
public final class TestRecord {
    public static final String SCHEMA = "signal string not null";

    private TestRecord() {}

    /** A dataset of one group. */
    public static DatasetRecord of(String id, String path) {
        return DatasetRecord.of(
                path,
                1,
                DatasetProto.newBuilder()
                        .setFormatVersion(1)
                        .setId(id)
                        .setSchema(SCHEMA)
                        .addGroup(GroupProto.newBuilder()
                                .setName("time")
                                .addPredicate("signal")
                                .setReplication(1)
                                .setCodec("none"))
                        .setDefaultGroup("time")
                        .build());
    }
}
