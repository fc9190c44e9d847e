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
package org.hadoopmpsr.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.ReadPlan;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.hadoopmpsr.testing.LostFiles;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the web server answers below {@code /mpsr/v1} is what the protocol answers by RPC. */
class HttpApiTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private static TestCluster cluster;
    private static MpsrClient client;
    private static DistributedFileSystem fs;
    private static HttpApiClient admin;

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        conf.set(DFSConfigKeys.DFS_NAMENODE_AUDIT_LOGGERS_KEY, AuditLines.class.getName());
        cluster = TestCluster.start(conf, 3, 3);
        client = cluster.client();
        fs = cluster.fs();
        admin = as(System.getProperty("user.name"));
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    private static HttpApiClient as(String user) {
        return new HttpApiClient(cluster.mini().getNameNode(), "user.name=" + user);
    }

    /** Each commit has two files in each group, of a signal and a day of its own. */
    private static Dataset published(String name, int commits) throws Exception {
        Dataset dataset = client.createDataset("/" + name + "/meas", TestCluster.SCHEMA);
        for (int i = 0; i < commits; i++) {
            commit(dataset, i).stage(client, fs).publish(client);
        }
        return client.getDataset(dataset.path());
    }

    private static TestCommit commit(Dataset dataset, int number) {
        CommitSource source = new CommitSource("t", 0, number * 10L, number * 10L + 10);
        return new TestCommit(dataset, "c-" + number, source, "PT-" + number, LocalDate.of(2014, 5, 1 + number), 2);
    }

    private static String body(Map<String, Object> asked) throws Exception {
        return MAPPER.writeValueAsString(asked);
    }

    private static List<String> paths(JsonNode files) {
        List<String> found = new ArrayList<>();
        files.forEach(file -> found.add(file.get("path").asText()));
        return found;
    }

    private static List<String> rpcPaths(ReadPlan plan) {
        return plan.files().stream().map(ReadPlan.PlannedFile::path).toList();
    }

    /** The files of all pages. */
    private static List<JsonNode> pages(Map<String, Object> asked, int files) throws Exception {
        Map<String, Object> request = new TreeMap<>(asked);
        request.put("files", files);
        List<JsonNode> found = new ArrayList<>();
        JsonNode page = admin.plan(body(request)).ok();
        page.get("files").forEach(found::add);
        while (!page.get("nextPage").isNull()) {
            assertThat(page.get("files").size()).isLessThanOrEqualTo(files);
            request.put("page", page.get("nextPage").asText());
            page = admin.plan(body(request)).ok();
            page.get("files").forEach(found::add);
        }
        return found;
    }

    @Test
    void aPlanIsTheOneOfTheProtocol() throws Exception {
        Dataset dataset = published("plan", 6);
        Filter signal = new Filter.Compare(Filter.Operator.EQ, "signal", "PT-2");
        Map<String, Object> asked =
                Map.of("path", dataset.path(), "filter", Map.of("op", "=", "column", "signal", "value", "PT-2"));

        JsonNode plan = admin.plan(body(asked)).ok();

        ReadPlan expected = client.plan(
                        dataset.path(), ReadRequest.ofAllColumns(signal).inParts(), null, List.of())
                .orElseThrow();
        assertThat(plan.get("stock").asBoolean()).isFalse();
        assertThat(plan.get("group").asText()).isEqualTo(expected.group()).isEqualTo("signal");
        assertThat(plan.get("reason").asText()).isEqualTo(expected.reason());
        assertThat(paths(plan.get("files"))).isEqualTo(rpcPaths(expected)).hasSize(2);
        for (int i = 0; i < 2; i++) {
            JsonNode file = plan.get("files").get(i);
            ReadPlan.PlannedFile known = expected.files().get(i);
            assertThat(file.get("length").asLong()).isEqualTo(known.length()).isEqualTo(TestCommit.BYTES);
            assertThat(file.get("modificationTime").asLong()).isEqualTo(known.modificationTime());
            assertThat(file.get("records").asLong()).isEqualTo(10);
            assertThat(file.get("partition").size()).isZero();
        }
        assertThat(plan.get("columns").toString())
                .contains("{\"name\":\"signal\",\"stored\":\"signal\",\"type\":\"string\",\"nullable\":");
        assertThat(plan.get("directoryColumns").toString()).startsWith("[{\"name\":\"day\"");
        assertThat(plan.get("candidates").size()).isEqualTo(3);
    }

    @Test
    void valuesOfDirectoriesComeWithTheFilesOfTheDefaultGroup() throws Exception {
        Dataset dataset = published("directories", 3);
        List<JsonNode> files = pages(Map.of("path", dataset.path(), "group", "time"), 2);
        assertThat(files).hasSize(6);
        for (JsonNode file : files) {
            String day = file.get("partition").get("day").asText();
            assertThat(file.get("path").asText()).startsWith(dataset.path() + "/day=" + day + "/");
        }
        assertThat(files.get(5).get("partition").toString()).isEqualTo("{\"day\":\"2014-05-03\"}");
    }

    @Test
    void pagesHaveWhatTheWholePlanHas() throws Exception {
        Dataset dataset = published("pages", 7);
        for (String group : List.of("time", "signal", "device")) {
            Map<String, Object> asked = Map.of("path", dataset.path(), "group", group);
            List<JsonNode> whole = new ArrayList<>();
            admin.plan(body(asked)).ok().get("files").forEach(whole::add);
            assertThat(whole).hasSize(14);
            for (int files : new int[] {1, 3, 14, 1_000_000}) {
                assertThat(pages(asked, files)).as(group + " " + files).isEqualTo(whole);
            }
        }
    }

    @Test
    void pagesGoOnWhenCommitsComeAndEndWhenThePlanIsGone() throws Exception {
        Dataset dataset = published("changes", 3);
        Map<String, Object> asked = Map.of("path", dataset.path(), "group", "signal", "files", 4);
        JsonNode first = admin.plan(body(asked)).ok();
        commit(dataset, 3).stage(client, fs).publish(client);
        Map<String, Object> next = new TreeMap<>(asked);
        next.put("page", first.get("nextPage").asText());
        assertThat(admin.plan(body(next)).ok().get("files").size()).isEqualTo(2);

        next.put("page", first.get("nextPage").asText().replaceFirst("-\\d+-", "-99-"));
        assertThat(admin.plan(body(next)).error())
                .startsWith("403 PlanChangedException: ")
                .endsWith("; plan again");
    }

    @Test
    void anEarlierStateIsPlanned() throws Exception {
        Dataset dataset = published("past", 2);
        long tagged = client.tag(dataset.path(), dataset.id(), "before", null);
        commit(dataset, 2).stage(client, fs).publish(client);
        JsonNode past = admin.plan(body(Map.of("path", dataset.path(), "asOf", "before", "group", "signal")))
                .ok();
        assertThat(past.get("asOf").asLong()).isEqualTo(tagged);
        assertThat(past.get("files").size()).isEqualTo(4);
        assertThat(admin.plan(body(Map.of("path", dataset.path(), "asOf", "2,5")))
                        .error())
                .startsWith("400 IllegalArgumentException: '2,5' names no state of a dataset");
    }

    @Test
    void aDatasetWhoseGroupLostFilesIsReadInParts() throws Exception {
        Dataset dataset = published("lost", 4);
        String file = commit(dataset, 1).published("time");
        LostFiles.lose(cluster.mini(), file);
        await().atMost(Duration.ofSeconds(30)).until(() -> LostFiles.isLost(cluster.mini(), file));
        Map<String, Object> asked = Map.of("path", dataset.path(), "group", "time");

        JsonNode plan = admin.plan(body(asked)).ok();

        assertThat(plan.get("parts").size()).isEqualTo(2);
        assertThat(plan.get("parts").get(0).get("group").asText()).isEqualTo("time");
        assertThat(paths(plan.get("files"))).hasSize(8).doesNotContain(file);
        plan.get("files").forEach(planned -> {
            JsonNode part = plan.get("parts").get(planned.get("part").asInt());
            assertThat(planned.get("path").asText()).startsWith(part.get("root").asText() + "/");
            assertThat(planned.get("partition").has("day"))
                    .isEqualTo(part.get("group").asText().equals("time"));
        });
        assertThat(paths(MAPPER.valueToTree(pages(asked, 3)))).isEqualTo(paths(plan.get("files")));
    }

    @Test
    void datasetsAreThoseThatTheCallerMayRead() throws Exception {
        for (String name : List.of("list", "list-2", "listing")) {
            published(name, 1);
        }
        fs.mkdirs(new Path("/list/closed"));
        client.createDataset("/list/closed", TestCluster.SCHEMA);
        fs.setPermission(new Path("/list/closed"), new FsPermission("700"));

        assertThat(paths(as("ann").get("/mpsr/v1/datasets?path=/list").ok().get("datasets")))
                .containsExactly("/list/meas");
        assertThat(paths(admin.get("/mpsr/v1/datasets?path=/list/").ok().get("datasets")))
                .containsExactly("/list/closed", "/list/meas");
        assertThat(paths(admin.get("/mpsr/v1/datasets?path=/list/meas").ok().get("datasets")))
                .containsExactly("/list/meas");
        assertThat(paths(admin.get("/mpsr/v1/datasets").ok().get("datasets")))
                .isEqualTo(client.listDatasets().stream().map(Dataset::path).toList());
        assertThat(paths(admin.get("/mpsr/v1/datasets?path=/list&after=/list/closed")
                        .ok()
                        .get("datasets")))
                .containsExactly("/list/meas");
        assertThat(admin.get("/mpsr/v1/datasets?path=list").error())
                .isEqualTo("400 IllegalArgumentException: the path 'list' is not absolute; name it from the root");
    }

    @Test
    void aDatasetIsDescribedAsByTheProtocol() throws Exception {
        Dataset dataset = published("describe %41 ä", 2);
        JsonNode found =
                admin.get("/mpsr/v1/datasets/describe%20%2541%20%C3%A4/meas").ok();
        assertThat(found.get("path").asText()).isEqualTo(dataset.path());
        assertThat(found.get("id").asText()).isEqualTo(dataset.id());
        assertThat(found.get("schema").asText()).isEqualTo(dataset.schema().ddl());
        assertThat(found.get("columns").size())
                .isEqualTo(dataset.schema().columns().size());
        assertThat(found.get("untold").isNull()).isTrue();
        assertThat(found.get("groups").size()).isEqualTo(3);
        for (int i = 0; i < 3; i++) {
            Dataset.Representation known = dataset.representations().get(i);
            JsonNode group = found.get("groups").get(i);
            assertThat(group.get("name").asText()).isEqualTo(known.group());
            assertThat(group.get("root").asText()).isEqualTo(known.root());
            assertThat(group.get("files").asLong()).isEqualTo(known.files());
            assertThat(group.get("bytes").asLong()).isEqualTo(known.bytes());
            assertThat(group.get("records").asLong()).isEqualTo(known.content().count());
            assertThat(group.get("contentHash").asText())
                    .isEqualTo(known.content().hex());
            assertThat(group.get("unusable").isNull()).isTrue();
        }
        JsonNode listed = admin.get("/mpsr/v1/datasets?path=/describe%20%2541%20%C3%A4")
                .ok()
                .get("datasets")
                .get(0);
        assertThat(listed).isEqualTo(found);
    }

    /** Both ways, as users with and without rights; and with the same lines in the audit log. */
    @Test
    void rightsAndAuditAreThoseOfTheProtocol() throws Exception {
        Dataset dataset = published("rights", 1);
        Path path = new Path(dataset.path());
        fs.setOwner(path, "owner", "reader-group");
        fs.setPermission(path, new FsPermission("750"));
        String plan = body(Map.of("path", dataset.path(), "group", "signal"));
        String show = "/mpsr/v1/datasets" + dataset.path();

        AuditLines.clear();
        assertThat(as("stranger").plan(plan).error())
                .startsWith("403 AccessControlException: Permission denied: user=stranger, access=READ_EXECUTE");
        assertThat(as("stranger").get(show).error())
                .startsWith("403 AccessControlException: Permission denied: user=stranger");
        as("owner").plan(plan).ok();
        as("owner").get(show).ok();
        as("owner").get("/mpsr/v1/datasets?path=/rights").ok();
        as("owner").get("/mpsr/v1/status").ok();
        assertThat(as("stranger").plan(body(Map.of("path", "/rights/other"))).error())
                .startsWith("404 FileNotFoundException: there is no dataset at /rights/other; GET");

        String root = dataset.representations().get(1).root();
        assertThat(AuditLines.of("mpsr"))
                .containsExactly(
                        "allowed=false ugi=stranger ip=true cmd=mpsrPlan src=" + dataset.path() + " dst=null",
                        "allowed=false ugi=stranger ip=true cmd=mpsrGetDataset src=" + dataset.path() + " dst=null",
                        "allowed=true ugi=owner ip=true cmd=mpsrPlan src=" + dataset.path() + " dst=" + root,
                        "allowed=true ugi=owner ip=true cmd=mpsrGetDataset src=" + dataset.path() + " dst=null",
                        "allowed=true ugi=owner ip=true cmd=mpsrListDatasets src=null dst=null",
                        "allowed=true ugi=owner ip=true cmd=mpsrStatus src=null dst=null");
    }

    @Test
    void whoMayNotReadAllIsToldNothingOfFiles() throws Exception {
        Dataset dataset = published("partly", 2);
        fs.setPermission(new Path(dataset.path() + "/day=2014-05-01"), new FsPermission("700"));

        JsonNode plan = as("ann").plan(body(Map.of("path", dataset.path()))).ok();
        assertThat(plan.get("stock").asBoolean()).isTrue();
        assertThat(plan.get("files").size()).isZero();
        assertThat(plan.get("untracked").size()).isZero();
        JsonNode found = as("ann").get("/mpsr/v1/datasets" + dataset.path()).ok();
        assertThat(found.get("untold").asText()).isEqualTo(plan.get("reason").asText());
        found.get("groups").forEach(group -> {
            for (String number : List.of("files", "bytes", "records", "contentHash")) {
                assertThat(group.get(number).isNull()).as(number).isTrue();
            }
        });
    }

    @Test
    void filesOfOrdinaryWritersAreNamed() throws Exception {
        Dataset dataset = published("untracked", 1);
        cluster.write(dataset.path() + "/day=2014-06-01/own.parquet", 10);
        cluster.write(dataset.path() + "/elsewhere/own.parquet", 10);
        JsonNode plan = admin.plan(body(Map.of("path", dataset.path()))).ok();
        assertThat(plan.get("stock").asBoolean()).as(plan.toString()).isFalse();
        Map<String, String> found = new TreeMap<>();
        plan.get("untracked")
                .forEach(file -> found.put(
                        file.get("path").asText(), file.get("partition").toString()));
        assertThat(found)
                .isEqualTo(Map.of(
                        dataset.path() + "/day=2014-06-01/own.parquet",
                        "{\"day\":\"2014-06-01\"}",
                        dataset.path() + "/elsewhere/own.parquet",
                        "null"));
    }

    /** A filter of so many levels. */
    private static String deep(int levels) {
        return "{\"op\":\"not\",\"part\":".repeat(levels) + "{\"op\":\"unknown\"}" + "}".repeat(levels);
    }

    @Test
    void whatMakesNoSenseIsRefusedAndTheNextRequestAnswered() throws Exception {
        Dataset dataset = published("wrong", 1);
        String path = "{\"path\":\"" + dataset.path() + "\",";
        Map<String, String> wrong = new TreeMap<>();
        wrong.put("", "400 IllegalArgumentException: the body of the request is no JSON object");
        wrong.put("[]", "400 IllegalArgumentException: the body of the request is no JSON object");
        wrong.put("{", "400 IllegalArgumentException: the body of the request is no JSON at byte ");
        wrong.put("{\"path\":1}", "400 IllegalArgumentException: 'path' of a plan is 1; give a text");
        wrong.put(
                "{\"path\":\"a\"}", "400 IllegalArgumentException: the 'path' of a plan is 'a', which is not absolute");
        wrong.put("{}", "400 IllegalArgumentException: the 'path' of a plan is missing; give");
        wrong.put(path + "\"path\":\"/\"}", "400 IllegalArgumentException: the body of the request is no JSON");
        wrong.put(
                path + "\"colums\":[]}",
                "400 IllegalArgumentException: a plan has no 'colums'; there are asOf, columns,");
        wrong.put(path + "\"columns\":[1]}", "400 IllegalArgumentException: 'columns' of a plan is [1]; give a list");
        wrong.put(path + "\"files\":0}", "400 IllegalArgumentException: 'files' of a plan is 0; give a whole");
        wrong.put(
                path + "\"page\":\"x\"}", "400 IllegalArgumentException: the 'page' of a plan is 'x', which no answer");
        wrong.put(path + "\"group\":\"none\"}", "403 IOException: ");
        wrong.put(path + "\"filter\":{}}", "400 IllegalArgumentException: 'null' is no 'op' of a filter");
        wrong.put(
                path + "\"filter\":{\"op\":\"=\"}}",
                "400 IllegalArgumentException: a condition with '=' has no 'value'");
        wrong.put(
                path + "\"filter\":{\"op\":\"=\",\"value\":1}}",
                "400 IllegalArgumentException: a condition with '=' has no 'column'");
        wrong.put(
                path + "\"filter\":{\"op\":\"=\",\"column\":\"signal\",\"value\":{}}}",
                "400 IllegalArgumentException: the value of '=' is no text");
        wrong.put(
                path + "\"filter\":{\"op\":\"=\",\"column\":\"signal\",\"value\":99999999999999999999}}",
                "400 IllegalArgumentException: a whole number");
        wrong.put(
                path + "\"filter\":{\"op\":\"and\",\"parts\":[null]}}",
                "400 IllegalArgumentException: the list 'parts'");
        wrong.put(
                path + "\"files\":" + "9".repeat(1_000_000) + "}",
                "400 IllegalArgumentException: a whole number in the body of the request is none of 64 bits");
        wrong.put(
                path + "\"filter\":" + deep(100) + "}",
                "400 IllegalArgumentException: the body of the request nests deeper");
        wrong.put(
                path + "\"filter\":" + deep(50_000) + "}",
                "400 IllegalArgumentException: the body of the request nests deeper");
        wrong.put(
                path + "\"group\":\"" + "x".repeat(1 << 20) + "\"}",
                "400 IllegalArgumentException: the body of the request has more than");
        wrong.put(path + "\"group\":\"" + "x".repeat(70_000) + "\"}", "403 OversizeMessageException: ");
        for (Map.Entry<String, String> each : wrong.entrySet()) {
            String body = each.getKey();
            assertThat(admin.plan(body).error())
                    .as(body.substring(0, Math.min(200, body.length())))
                    .startsWith(each.getValue());
        }
        assertThat(admin.plan(path + "\"filter\":" + deep(60) + "}")
                        .ok()
                        .get("files")
                        .size())
                .isEqualTo(2);
        assertThat(admin.send("POST", "/mpsr/v1/plan", path + "\"files\":1}", "application/x-www-form-urlencoded")
                        .error())
                .startsWith(
                        "400 IllegalArgumentException: the body of the request is of the type application/x-www-form");
        assertThat(admin.send("PUT", "/mpsr/v1/plan", "").error()).startsWith("405 UnsupportedOperationException: ");
        assertThat(admin.send("POST", "/mpsr/v1/status", "").error()).startsWith("405 UnsupportedOperationException: ");
        assertThat(admin.get("/mpsr/v1/other").error())
                .startsWith("404 FileNotFoundException: there is no /mpsr/v1/other");
        assertThat(admin.get("/mpsr/v1/datasets/none").error()).startsWith("404 FileNotFoundException: ");
        assertThat(as("a*b").get("/mpsr/v1/status").error()).startsWith("400 IllegalArgumentException: ");
    }

    @Test
    void theStateIsThatOfTheProtocol() throws Exception {
        JsonNode status = admin.get("/mpsr/v1/status").ok();
        assertThat(status.get("state").asText())
                .isEqualTo(cluster.status().getState())
                .isEqualTo("ready");
        assertThat(status.get("groups").size()).isEqualTo(3);
        assertThat(status.get("nodes").size()).isEqualTo(3);
        assertThat(status.get("counters").has("Plans")).isTrue();
    }

    /** Each answer has what the document says, and nothing else. */
    @Test
    void theDocumentNamesWhatIsAnswered() throws Exception {
        Dataset dataset = published("document", 1);
        JsonNode document = admin.get("/mpsr/v1/openapi.json").ok();
        JsonNode schemas = document.get("components").get("schemas");
        String plan = body(Map.of("path", dataset.path()));
        check(schemas, "Plan", admin.plan(plan).ok());
        check(
                schemas,
                "Dataset",
                admin.get("/mpsr/v1/datasets" + dataset.path()).ok());
        check(schemas, "Datasets", admin.get("/mpsr/v1/datasets").ok());
        check(schemas, "Status", admin.get("/mpsr/v1/status").ok());
        check(schemas, "Error", admin.get("/mpsr/v1/datasets/none").json());
    }

    private static void check(JsonNode schemas, String name, JsonNode value) {
        JsonNode schema = schemas.get(name);
        List<String> named = new ArrayList<>();
        schema.get("properties").fieldNames().forEachRemaining(named::add);
        List<String> found = new ArrayList<>();
        for (Iterator<String> names = value.fieldNames(); names.hasNext(); ) {
            found.add(names.next());
        }
        assertThat(found).as(name).containsExactlyInAnyOrderElementsOf(named);
        found.forEach(field -> {
            ObjectNode of = (ObjectNode) schema.get("properties").get(field);
            JsonNode items = of.path("items").path("$ref");
            if (!items.isMissingNode() && value.get(field).size() > 0) {
                String ref = items.asText();
                check(
                        schemas,
                        ref.substring(ref.lastIndexOf('/') + 1),
                        value.get(field).get(0));
            }
        });
    }
}
