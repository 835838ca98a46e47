import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.dbms.api.DatabaseManagementService;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;

/**
 * A Neo4j of our own, run from source: java -cp 'lib/*' Neo4jServer.java CONFIGURATION.
 *
 * The configuration is a properties file: data (the folder), settings (a file in Neo4j's own form), password and, if the
 * server is to end with another process, parent (that one's pid). It ends at SIGTERM, in order.
 */
public final class Neo4jServer {
    public static void main(String[] arguments) throws Exception {
        Properties wanted = new Properties();
        try (var file = Files.newBufferedReader(Path.of(arguments[0]))) {
            wanted.load(file);
        }
        DatabaseManagementService server = start(wanted);
        CountDownLatch ended = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            server.shutdown();
            ended.countDown();
        }));
        passwordSet(server, wanted.getProperty("password"));
        String parent = wanted.getProperty("parent", "");
        if (!parent.isEmpty()) {
            ProcessHandle.of(Long.parseLong(parent)).ifPresentOrElse(
                process -> process.onExit().thenRun(() -> System.exit(0)), () -> System.exit(0));
        }
        System.out.println("Neo4j is ready");
        ended.await();
    }

    /** Whatever goes wrong ends this process, which threads of the server would otherwise keep alive. */
    private static DatabaseManagementService start(Properties wanted) {
        try {
            return new DatabaseManagementServiceBuilder(Path.of(wanted.getProperty("data")))
                .loadPropertiesFromFile(Path.of(wanted.getProperty("settings")))
                .build();
        } catch (RuntimeException error) {
            Throwable cause = error;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            System.err.println("Neo4j did not start: " + cause);
            Runtime.getRuntime().halt(1);
            throw error;
        }
    }

    /** The first password, which has to be changed before anything else is allowed, gives way to ours at every start. */
    private static void passwordSet(DatabaseManagementService server, String password) {
        server.database(GraphDatabaseSettings.SYSTEM_DATABASE_NAME).executeTransactionally(
            "ALTER USER neo4j SET PLAINTEXT PASSWORD $password CHANGE NOT REQUIRED", Map.of("password", password));
    }
}
