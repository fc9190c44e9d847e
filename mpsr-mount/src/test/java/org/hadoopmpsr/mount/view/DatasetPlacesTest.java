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
package org.hadoopmpsr.mount.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RpcNoSuchProtocolException;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.schema.Schema;
import org.junit.jupiter.api.Test;

class DatasetPlacesTest {
    private long nowNs;
    private int asked;

    private static Dataset dataset(String path, String id) {
        ReplicaGroups groups = new ReplicaGroups(List.of(group("time", "day(t)"), group("signal", "s")), "time");
        return new Dataset(
                path,
                id,
                Schema.parse("s string, t timestamp_ns"),
                groups,
                List.of(representation("time", path), representation("signal", "/.mpsr/datasets/" + id + "/signal")),
                List.of());
    }

    private static ReplicaGroup group(String name, String predicates) {
        return new ReplicaGroup(name, List.of(Predicate.parse(predicates)), List.of(), 1, Codec.parse("zstd"));
    }

    private static Dataset.Representation representation(String group, String root) {
        return new Dataset.Representation(group, root, 0, 0, ContentHashes.EMPTY, null);
    }

    private DatasetPlaces places(DatasetPlaces.Source source) {
        return new DatasetPlaces(
                () -> {
                    asked++;
                    return source.list();
                },
                () -> nowNs);
    }

    @Test
    void aPathBelongsToTheGroupInWhoseDirectoryItLies() throws Exception {
        DatasetPlaces places = places(() -> List.of(dataset("/a", "1"), dataset("/a/b", "2")));
        assertThat(places.of("/a/x").orElseThrow().dataset().path()).isEqualTo("/a");
        assertThat(places.of("/a/b/x").orElseThrow().dataset().path()).isEqualTo("/a/b");
        assertThat(places.of("/.mpsr/datasets/2/signal/s=1/f").orElseThrow().group())
                .isEqualTo("signal");
        assertThat(places.of("/.mpsr/datasets/2/signal/s=1/f")
                        .orElseThrow()
                        .dataset()
                        .path())
                .isEqualTo("/a/b");
        assertThat(places.of("/ab")).isEmpty();
        assertThat(places.at("/a")).isPresent();
        assertThat(places.at("/a/x")).isEmpty();
    }

    @Test
    void theNameNodeIsAskedOnceInAWhile() throws Exception {
        nowNs = Long.MAX_VALUE - 1_000;
        DatasetPlaces places = places(List::of);
        places.at("/a");
        nowNs += TimeUnit.SECONDS.toNanos(4);
        places.at("/a");
        assertThat(asked).isEqualTo(1);
        nowNs += TimeUnit.SECONDS.toNanos(2);
        places.at("/a");
        assertThat(asked).isEqualTo(2);
    }

    @Test
    void whereNobodyTellsOfDatasetsThereAreNone() throws Exception {
        for (Class<?> answer : List.of(RpcNoSuchProtocolException.class, AuthorizationException.class)) {
            DatasetPlaces places = places(() -> {
                throw new RemoteException(answer.getName(), "no");
            });
            assertThat(places.at("/a")).isEmpty();
        }
        DatasetPlaces silent = places(() -> {
            throw new IOException("no answer");
        });
        assertThatThrownBy(() -> silent.at("/a")).hasMessage("no answer");
    }
}
